//===-- toolchain/ptx/parts.h - A large program in parts --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas needs memory and time by the square of the number of functions in a
// module. A large program is divided into modules that ptxas compiles one by
// one, and nvlink joins them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TOOLCHAIN_PTX_PARTS_H
#define GPUEXEC_TOOLCHAIN_PTX_PARTS_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpuexec {

/// The bodies of a part's functions have at most about this many bytes
/// together, and a quarter of it on average: SQLite's 18 MB become 35 parts.
/// ptxas takes a fifth more time for four times the number, and more memory for
/// a quarter.
constexpr size_t PTX_PART_SIZE = 2000000;

/// Divides a module's text, as LLVM writes it, into modules: one with the
/// kernels, one with the variables, and some with the functions, in the
/// module's order. Numbers that LLVM counts through the module are left out of
/// the text of functions, and a part ends behind a function that its name
/// chooses, so that a change of one function leaves the other parts as they
/// are.
///
/// Empty for a module that stays whole: one with debug information, with
/// variables that a block shares, with aliases, that is no whole program (an
/// object of -fno-lto has to be one file), or whose functions have fewer than
/// `least` bytes.
std::vector<std::string> ptx_parts(std::string_view text, size_t least,
                                   size_t part_size = PTX_PART_SIZE);

} // namespace gpuexec

#endif
