//===-- toolchain/ptx/split.h - Tables of functions apart -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that ptxas takes grows with the functions that can reach each
// other by calls through pointers: programs with hundreds of virtual functions
// take more than 10 GB. In a module whose tables of functions are external,
// ptxas sees no such calls: the tables become a module of their own, and nvlink
// joins the two.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TOOLCHAIN_PTX_SPLIT_H
#define GPUEXEC_TOOLCHAIN_PTX_SPLIT_H

#include <cstddef>
#include <string>
#include <string_view>

namespace gpuexec {

struct SplitPtx {
  std::string main, tables; ///< text of the two modules
  size_t moved = 0;         ///< variables that are in `tables`
};

/// Divides a module's text, as LLVM writes it. Initialised variables that hold
/// addresses of functions go to `tables`; what these name becomes visible in
/// `main`. Nothing is moved from a module with debug information, from one that
/// is no whole program (an object of -fno-lto has to be one file), or from one
/// with fewer than `least` functions (definitions and declarations): `moved` is
/// 0 then.
SplitPtx split_ptx(std::string_view text, size_t least);

} // namespace gpuexec

#endif
