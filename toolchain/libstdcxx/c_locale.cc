//===-- toolchain/libstdcxx/c_locale.cc - Names of locales ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's file for a C library without locale objects, which knows the locale "C"
// alone: std::locale("") threw wherever the environment names C.UTF-8 or
// en_US.UTF-8. Here every name is known that the C library knows. As there, all
// of them have the conventions of "C"; wide characters are converted as the C
// library's current locale says, which std::locale::global() sets.
//===----------------------------------------------------------------------===//
#include <cstring>
#include <locale.h>
#include <locale>

namespace {

bool is_known(const char *name) {
  const locale_t made = newlocale(LC_ALL_MASK, name, nullptr);
  if (made)
    freelocale(made);
  return made;
}

/// Has the place of strcmp(name, "C") below: not 0 if `name`, or a part of
/// "LC_CTYPE=C.UTF-8;LC_NUMERIC=C;...", is no locale.
int is_unknown(const char *name, const char *) {
  for (;;) {
    const size_t size = std::strcspn(name, ";");
    const auto *equals =
        static_cast<const char *>(std::memchr(name, '=', size));
    const char *begin = equals ? equals + 1 : name;
    const size_t length = size_t(name + size - begin);
    char part[64] = {};
    if (length >= sizeof part)
      return 1;
    std::memcpy(part, begin, length);
    if (!is_known(part))
      return 1;
    if (!name[size])
      return 0;
    name += size + 1;
  }
}

} // namespace

#define strcmp is_unknown
#include "config/locale/generic/c_locale.cc"
