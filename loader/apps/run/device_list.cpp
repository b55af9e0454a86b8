//===-- loader/apps/run/device_list.cpp - See device_list.h -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/apps/run/device_list.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace gpuexec {

void print_devices(llvm::raw_ostream &os, llvm::ArrayRef<DeviceInfo> devices) {
  for (const DeviceInfo &info : devices) {
    os << llvm::formatv("{0,-10} {1} ({2})", info.spec(), info.name,
                        info.target_id);
    if (info.units)
      os << llvm::formatv(", {0} {1}", info.units, info.units_name);
    if (info.memory)
      os << llvm::formatv(", {0:f1} GiB", double(info.memory) / (1u << 30));
    os << "\n";
  }
}

void print_devices_json(llvm::raw_ostream &os,
                        llvm::ArrayRef<DeviceInfo> devices) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.array([&] {
    for (const DeviceInfo &info : devices)
      json.object([&] {
        json.attribute("device", info.spec());
        json.attribute("backend", info.backend);
        json.attribute("index", int64_t(info.index));
        json.attribute("name", info.name);
        json.attribute("target", info.target_id);
        json.attribute("arch", info.arch());
        json.attribute("emulated", info.emulated);
        json.attribute("units", int64_t(info.units));
        json.attribute("units_name", info.units_name);
        json.attribute("memory_bytes", int64_t(info.memory));
      });
  });
  os << "\n";
}

} // namespace gpuexec
