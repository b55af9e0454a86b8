//===-- emulator/machine/options.cpp - What a client may choose -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/options.h"

#include <cstdlib>

namespace gpuexec::emulator {

/// False unless `value` is one of the two words.
static bool set_flag(bool &flag, const std::string &value, const char *on,
                     const char *off) {
  flag = value == on;
  return flag || value == off;
}

bool Options::set(const std::string &name, const std::string &value) {
  bool flag = false;
  if (name == "check" && set_flag(flag, value, "uninit", "none"))
    check_uninitialized = flag;
  else if (name == "stats" && set_flag(flag, value, "on", "off"))
    statistics = flag;
  else if (name == "lines" && set_flag(flag, value, "prepared", "late"))
    prepare_lines = flag;
  else if (name == "jit-cache" && !value.empty()) {
    if (value == "default")
      code_cache = CodeCacheChoice::from_environment(/*by_default=*/true);
    else if (value == "off")
      code_cache = CodeCacheChoice();
    else
      code_cache = {value, true};
  } else if (name == "threads") {
    char *end = nullptr;
    unsigned long count = strtoul(value.c_str(), &end, 10);
    if (end == value.c_str() || *end || !count || count > 4096)
      return false;
    threads = unsigned(count);
  } else {
    return false;
  }
  return true;
}

} // namespace gpuexec::emulator
