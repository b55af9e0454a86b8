//===-- toolchain/libstdcxx/new_strings_only.cc - Locales -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libstdc++ has each facet of a locale that deals with strings twice, for the
// std::string of C++11 and for the one of before, and adapters between them.
// A program whose streams say "hello" would have all of it: 0.7 MB. Nothing
// for a GPU was compiled with the string of before, so its facets are left out
// here (cow-locale_init.cc, *-shim_facets.cc).
//===----------------------------------------------------------------------===//
#include <cstdlib>
#include <locale>

namespace std {

void locale::_Impl::_M_init_extra(facet **) {}

void locale::_Impl::_M_init_extra(void *, void *, const char *, const char *) {}

// Only for facets of the other kind, of which there are none.
const locale::facet *locale::facet::_M_sso_shim(const locale::id *) const {
  abort();
}
const locale::facet *locale::facet::_M_cow_shim(const locale::id *) const {
  abort();
}

} // namespace std
