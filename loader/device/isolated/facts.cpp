//===-- loader/device/isolated/facts.cpp - A device's facts as bytes ------===//
#include "loader/device/isolated/facts.h"
#include "loader/device/hsa/runtime.h"
#include "loader/device/isolated/process.h"

namespace gpuexec::isolated {

void put(Writer &to, const DeviceInfo &info) {
  to.put(info.index).text(info.name).text(info.target_id);
  to.put(info.memory).put(info.units).put(info.waves_per_unit);
}

DeviceInfo take_info(Reader &from) {
  DeviceInfo info;
  info.backend = hsa::backend_name(hsa::Kind::emulated);
  info.emulated = true;
  info.index = from.take<uint32_t>();
  info.name = printable_lines(from.text());
  info.target_id = printable_lines(from.text());
  info.memory = from.take<uint64_t>();
  info.units = from.take<uint32_t>();
  info.waves_per_unit = from.take<uint32_t>();
  return info;
}

void put(Writer &to, const MemoryRange &range) {
  to.put(range.begin).put(range.size).put(uint8_t(range.writable));
}

MemoryRange take_range(Reader &from) {
  MemoryRange range;
  range.begin = from.take<DeviceAddress>();
  range.size = from.take<uint64_t>();
  range.writable = from.take<uint8_t>() != 0;
  return range;
}

} // namespace gpuexec::isolated
