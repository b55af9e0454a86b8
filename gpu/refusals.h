//===-- gpu/refusals.h - Refused unless something is missing ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass at the link cannot tell a function of machine code, which it may have
// to refuse, from one that the program lacks. gpucc-ld can, at its end.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPU_REFUSALS_H
#define GPUEXEC_GPU_REFUSALS_H

namespace gpuexec {

/// Environment variable: gpucc-ld sets it to anything while ld.lld links
/// bitcode. Passes then leave their refusals in the named metadata REFUSALS, a
/// node with a string for each.
inline constexpr const char REFUSE_LATER[] = "GPUEXEC_REFUSE_LATER";
inline constexpr const char REFUSALS[] = "gpuexec.refusals";

} // namespace gpuexec

#endif
