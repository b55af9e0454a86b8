//===-- loader/device/stack_limits.h - Stacks of recursion ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that recurse ask how full a thread's stack is (gpu/start_up.h,
// toolchain/passes/language/extend_stack.cpp).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_STACK_LIMITS_H
#define GPUEXEC_LOADER_DEVICE_STACK_LIMITS_H

#include "loader/device/device.h"

namespace gpuexec {

/// Limits of a thread's stack, in bytes from its beginning; the layout of the
/// image's variable.
struct StackLimits {
  uint32_t soft; ///< from here on recursion goes on in the heap
  uint32_t hard; ///< from here on the program ends with a message
  uint32_t size; ///< of the whole stack
};
static_assert(sizeof(StackLimits) == 12, "toolchain/passes relies on it");

/// The limits for a stack of `size` bytes. Behind `soft` remains room for
/// functions that do not test the limit because they do not recurse, such as
/// the C library's.
StackLimits stack_limits(uint64_t size);

/// Bytes of stack for each thread of a program whose depth is not known, a
/// multiple of 1024: `share`, a part of the free memory, but at most 64 KiB and
/// at least `usual`; and never less than `usual` and the frames of main and
/// of the largest function together, because two functions with arrays of 16
/// KiB need them even if little memory is free.
uint64_t stack_of_unknown_depth(uint64_t share, uint64_t usual,
                                uint64_t largest_frames);

/// Tells the program how much stack the threads of its next kernel have, if it
/// has the variable for that.
llvm::Error write_stack_limits(Device &device, Module &module, uint64_t size);

/// Tells the program how much of the heap a thread's recursion may take, if the
/// user has said so and the program recurses.
llvm::Error write_recursion_limit(Device &device, Module &module,
                                  const LaunchSettings &settings);

} // namespace gpuexec

#endif
