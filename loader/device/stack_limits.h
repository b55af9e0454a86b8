//===-- loader/device/stack_limits.h - Where recursion leaves it -*- C++ -*-===//
// Programs that recurse ask how full a thread's stack is (gpu/start_up.h,
// toolchain/passes/extend_stack.cpp).
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

/// Tells the program how much stack the threads of its next kernel have, if it
/// asks.
llvm::Error write_stack_limits(Device &device, Module &module, uint64_t size);

} // namespace gpuexec

#endif
