//===-- loader/device/stack_limits.cpp - See stack_limits.h ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/stack_limits.h"
#include "gpu/start_up.h"
#include <algorithm>

namespace gpuexec {

StackLimits stack_limits(uint64_t size) {
  // printf needs some 2 KiB, a function with arrays up to 32 KiB. A recursion
  // that goes on in the heap takes some hundred bytes here, and several may be
  // nested.
  constexpr uint64_t LEAST = 16 << 10, FOR_MESSAGE = 2 << 10;
  size = std::min<uint64_t>(size, UINT32_MAX);
  const uint64_t for_functions = std::max(std::min(LEAST, size / 2), size / 4);
  return {uint32_t(size - for_functions),
          uint32_t(size - std::min(FOR_MESSAGE, size / 4)), uint32_t(size)};
}

uint64_t stack_of_unknown_depth(uint64_t share, uint64_t usual,
                                uint64_t largest_frames) {
  // On an H100 this size makes the start of a program not measurably longer.
  constexpr uint64_t DEEP = 64 << 10, UNIT = 1024;
  const uint64_t needed = usual + (largest_frames + UNIT - 1) / UNIT * UNIT;
  const uint64_t most = std::max(DEEP, usual);
  return std::max(std::clamp(share / UNIT * UNIT, usual, most),
                  largest_frames ? needed : 0);
}

/// Writes to a variable of the program; does nothing if the program lacks it.
static llvm::Error write(Device &device, Module &module, llvm::StringRef name,
                         llvm::ArrayRef<std::byte> value) {
  llvm::Expected<std::optional<DeviceAddress>> address =
      module.find_global(name);
  if (!address)
    return address.takeError();
  return *address ? device.queue().copy_to_device(**address, value)
                  : llvm::Error::success();
}

template <typename T>
static llvm::ArrayRef<std::byte> bytes_of(const T &value) {
  return {reinterpret_cast<const std::byte *>(&value), sizeof(value)};
}

llvm::Error write_recursion_limit(Device &device, Module &module,
                                  const LaunchSettings &settings) {
  if (!settings.recursion_size)
    return llvm::Error::success();
  return write(device, module, GPUEXEC_RECURSION_LIMIT,
               bytes_of(*settings.recursion_size));
}

llvm::Error write_stack_limits(Device &device, Module &module, uint64_t size) {
  const StackLimits limits = stack_limits(size);
  return write(device, module, GPUEXEC_STACK_LIMITS, bytes_of(limits));
}

} // namespace gpuexec
