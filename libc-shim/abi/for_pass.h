//===-- libc-shim/abi/for_pass.h - Functions that only passes call --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_FOR_PASS_H
#define GPUEXEC_LIBC_FOR_PASS_H

/// Keeps a function that nothing calls until a pass (toolchain/passes/) adds
/// calls of it.
#define FOR_PASS __attribute__((noinline, used))

#endif
