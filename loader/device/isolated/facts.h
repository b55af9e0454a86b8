//===-- loader/device/isolated/facts.h - A device's facts as bytes --------===//
// How values that are more than plain numbers go through a channel.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_ISOLATED_FACTS_H
#define GPUEXEC_LOADER_DEVICE_ISOLATED_FACTS_H

#include "loader/device/device.h"
#include "loader/device/isolated/channel.h"

namespace gpuexec::isolated {

/// As much of a text as a message takes.
inline llvm::StringRef shortened(llvm::StringRef text) {
  return text.take_front(1u << 20);
}

void put(Writer &to, const DeviceInfo &info);
void put(Writer &to, const MemoryRange &range);
/// What was put, made harmless; Reader::ok() says whether it was there.
DeviceInfo take_info(Reader &from);
MemoryRange take_range(Reader &from);

} // namespace gpuexec::isolated

#endif
