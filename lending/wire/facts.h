//===-- lending/wire/facts.h - A device's facts as bytes --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How values that are more than plain numbers go through a channel.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_FACTS_H
#define GPUEXEC_LENDING_WIRE_FACTS_H

#include "lending/wire/channel.h"
#include "loader/device/device.h"

namespace gpuexec::remote {

/// As much of a text as a message takes.
inline llvm::StringRef shortened(llvm::StringRef text) {
  return text.take_front(1u << 20);
}

/// What is known of a device of another process.
struct Facts {
  DeviceInfo info;
  uint64_t hertz = 0; ///< Device::clock_frequency()
  /// All memory of the device is mapped by both processes (the emulator). Else
  /// only what Device::allocate_host() gives.
  bool all_is_shared = false;
};

// What was put is taken in the same order; what is taken is harmless, and
// Reader::ok() says whether it was there.
template <typename T>
Writer &put_optional(Writer &to, const std::optional<T> &value) {
  return to.put(uint8_t(value.has_value())).put(value.value_or(T()));
}
template <typename T> std::optional<T> take_optional(Reader &from) {
  const bool there = from.take_flag();
  T value = from.take<T>();
  return there ? std::optional<T>(value) : std::nullopt;
}
void put(Writer &to, const DeviceInfo &info);
void put(Writer &to, const MemoryRange &range);
void put(Writer &to, const LaunchSettings &settings);
void put(Writer &to, const Facts &facts);
/// As the kind of reply that the result is.
Reply put_error(Writer &to, llvm::Error error);
/// A back end that there is not is an empty DeviceInfo::backend.
DeviceInfo take_info(Reader &from);
MemoryRange take_range(Reader &from);
LaunchSettings take_settings(Reader &from);
Facts take_facts(Reader &from);

} // namespace gpuexec::remote

#endif
