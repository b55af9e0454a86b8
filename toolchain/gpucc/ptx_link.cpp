//===-- toolchain/gpucc/ptx_link.cpp - See ptx_link.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/ptx_link.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <unistd.h>

namespace gpuexec {

namespace {

/// Functions that the driver defines.
constexpr std::string_view DEFINED_BY_DRIVER[] = {"vprintf", "malloc", "free",
                                                  "__assertfail"};

/// The name that a line of PTX like `.extern .func (.param .b32 result) name`
/// declares; "" when it declares none.
std::string declared_name(std::string_view line) {
  constexpr std::string_view FUNCTION = ".extern .func";
  if (line.starts_with(FUNCTION)) {
    line.remove_prefix(FUNCTION.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with('(')) // the result
      line.remove_prefix(std::min(line.find(')'), line.size() - 1) + 1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return std::string(line.substr(0, line.find_first_of(" \t(;\r")));
  }
  if (line.starts_with(".extern .global") ||
      line.starts_with(".extern .const")) {
    line = line.substr(0, line.find_first_of("[;"));
    return std::string(line.substr(line.rfind(' ') + 1));
  }
  return ""; // .extern .shared is dynamic memory, not an undefined symbol
}

} // namespace

std::vector<std::string> undefined_symbols(std::istream &ptx) {
  std::vector<std::string> found;
  for (std::string line; std::getline(ptx, line);)
    if (std::string name = declared_name(line);
        !name.empty() &&
        std::find(std::begin(DEFINED_BY_DRIVER), std::end(DEFINED_BY_DRIVER),
                  name) == std::end(DEFINED_BY_DRIVER))
      found.push_back(name);
  return found;
}

int check_linked_ptx(const std::string &path) {
  std::error_code none; // not regular: a device (/dev/null), or no file at all
  if (!std::filesystem::is_regular_file(path, none))
    return 0;
  std::ifstream ptx(path, std::ios::binary);
  const std::vector<std::string> undefined = undefined_symbols(ptx);
  for (const std::string &name : undefined)
    fprintf(stderr, "gpucc: error: undefined symbol: %s\n", name.c_str());
  if (undefined.empty())
    return 0;
  unlink(path.c_str());
  return 1;
}

} // namespace gpuexec
