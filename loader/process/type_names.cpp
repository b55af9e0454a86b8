//===-- loader/process/type_names.cpp - Types of C++, for people ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/type_names.h"
#include "debug-info/demangle.h"
#include <memory>

namespace gpuexec {

std::function<std::string(const std::string &)> type_names(bool sandbox) {
  if (!sandbox)
    return [](const std::string &name) { return debug_info::type_name(name); };
  auto demangler = std::make_shared<debug_info::PreparedDemangler>();
  return [demangler](const std::string &name) {
    return demangler->type_name(name);
  };
}

} // namespace gpuexec
