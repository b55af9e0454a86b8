//===-- loader/device/stack_limits.h - Where recursion leaves it -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that recurse ask how full a thread's stack is (gpu/start_up.h,
// toolchain/passes/language/extend_stack.cpp).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_STACK_LIMITS_H
#define GPUEXEC_LOADER_DEVICE_STACK_LIMITS_H

#include "loader/device/device.h"

namespace gpuexec {

/// Bytes from where a thread's stack begins. The layout is that of the image's
/// variable.
struct StackLimits {
  uint32_t soft; ///< recursion goes on in the heap
  uint32_t hard; ///< the program ends with a message
  uint32_t size; ///< of the whole stack
};
static_assert(sizeof(StackLimits) == 12, "toolchain/passes relies on it");

/// For a stack of `size` bytes. Behind `soft` remains what functions need that
/// do not test: those that do not recurse, the C library's among them.
StackLimits stack_limits(uint64_t size);

/// Bytes of stack for each thread of a program whose depth nobody knows, a
/// multiple of 1024: `share`, which is a part of the free memory, but at most 64
/// KiB; at least `usual`; and in any case room for the program's largest frame
/// and `usual` beside it. A program that has an array of 16 KiB in a function
/// cannot do with less, however little memory is free.
uint64_t stack_of_unknown_depth(uint64_t share, uint64_t usual,
                                uint64_t largest_frame);

/// Tells the program how much stack the threads of its next kernel have, if it
/// asks.
llvm::Error write_stack_limits(Device &device, Module &module, uint64_t size);

/// Tells the program how much of the heap a thread's recursion may take, if the
/// user has said so and the program recurses.
llvm::Error write_recursion_limit(Device &device, Module &module,
                                  const LaunchSettings &settings);

} // namespace gpuexec

#endif
