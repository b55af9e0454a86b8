//===-- loader/process/type_names.h - Types of C++, for people --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_PROCESS_TYPE_NAMES_H
#define GPUEXEC_LOADER_PROCESS_TYPE_NAMES_H

#include <functional>
#include <string>

namespace gpuexec {

/// ServerOptions::type_name. A demangler is not safe on hostile names: it runs
/// in a confined process, which is started for each name; or now, if `sandbox`,
/// where no process can be started later. Call it while the process has one
/// thread.
std::function<std::string(const std::string &)> type_names(bool sandbox);

} // namespace gpuexec

#endif
