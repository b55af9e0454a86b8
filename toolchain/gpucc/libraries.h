//===-- toolchain/gpucc/libraries.h - -lNAME is there -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_GPUCC_LIBRARIES_H
#define GPUEXEC_GPUCC_LIBRARIES_H

#include "toolchain/gpucc/machine.h"
#include <string>
#include <vector>

namespace gpuexec {

/// What is wrong with the libraries that clang's arguments name by -l, in one
/// line that says what to do, or "". `sysroot`: the folder of our own. Where
/// options for the linker alone may name folders, the linker says so.
std::string check_libraries(const std::vector<std::string> &arguments,
                            const std::string &sysroot, const Machine &machine);

} // namespace gpuexec

#endif
