//===-- toolchain/gpucc/tools.h - Programs that gpucc needs -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang reports "posix_spawn failed" for a program that it does not find. These
// functions search the same folders as clang and name the missing program and
// its Debian package.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_TOOLS_H
#define GPUEXEC_GPUCC_TOOLS_H

#include "toolchain/gpucc/arch.h"
#include <string>
#include <vector>

namespace gpuexec {

/// The full path of clang (of clang++ when `cpp`) on PATH. Empty when there is
/// none; then `problem` says so.
std::string find_clang(bool cpp, const Machine &machine, std::string &problem);

/// The CUDA toolkit's folder that has bin/ptxas and bin/nvlink. Empty when
/// there is none; then, if the environment or PATH names a toolkit or one of
/// the usual folders has a part of it, `warning` says what is missing there.
std::string find_cuda_tools(const Machine &machine, std::string &warning);

/// The full path of the program that `clang` with these arguments starts to
/// link for `vendor`. Empty when the arguments name another linker. Empty, too,
/// when it is not found; then `problem` says so. It starts ptxas and nvlink,
/// for which see find_cuda_tools().
std::string find_linker(const std::string &clang,
                        const std::vector<std::string> &arguments,
                        Vendor vendor, const Machine &machine,
                        std::string &problem);

} // namespace gpuexec

#endif
