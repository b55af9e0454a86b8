//===-- support/device_address.h - An address on a device -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A type of its own, so that a device's address is never dereferenced on the
// host and never mixed up with a size or a host pointer. The back ends of
// loader/device/ convert it to what their driver takes.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_DEVICE_ADDRESS_H
#define GPUEXEC_SUPPORT_DEVICE_ADDRESS_H

#include <compare>
#include <cstdint>
#include <functional>

namespace gpuexec {

struct DeviceAddress {
  uint64_t value = 0; ///< 0: no address

  constexpr DeviceAddress() = default;
  constexpr explicit DeviceAddress(uint64_t value) : value(value) {}
  constexpr explicit operator bool() const { return value != 0; }

  /// The device's address of `shared`, memory that device and host see at the
  /// same address.
  static DeviceAddress of(const void *shared) {
    return DeviceAddress(reinterpret_cast<uint64_t>(shared));
  }
  /// The host's pointer to the same memory; the reverse of of().
  template <typename T = void> T *shared() const {
    return reinterpret_cast<T *>(value);
  }
  friend constexpr DeviceAddress operator+(DeviceAddress a, uint64_t bytes) {
    return DeviceAddress(a.value + bytes);
  }
  friend constexpr uint64_t operator-(DeviceAddress a, DeviceAddress b) {
    return a.value - b.value;
  }
  friend constexpr auto operator<=>(DeviceAddress, DeviceAddress) = default;
};

/// True when [address, address + size) lies in [begin, begin + within). No sum
/// is computed that could overflow.
constexpr bool lies_in(DeviceAddress address, uint64_t size,
                       DeviceAddress begin, uint64_t within) {
  return address >= begin && address - begin <= within &&
         size <= within - (address - begin);
}

} // namespace gpuexec

template <> struct std::hash<gpuexec::DeviceAddress> {
  size_t operator()(gpuexec::DeviceAddress address) const {
    return std::hash<uint64_t>()(address.value);
  }
};

#endif // GPUEXEC_SUPPORT_DEVICE_ADDRESS_H
