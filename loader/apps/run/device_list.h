//===-- loader/apps/run/device_list.h - --list-devices ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_APPS_RUN_DEVICE_LIST_H
#define GPUEXEC_LOADER_APPS_RUN_DEVICE_LIST_H

#include "loader/device/device.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuexec {

/// Prints a line for each device: "emulator   NAME (TARGET), 304 compute
/// units, 17.7 GiB".
void print_devices(llvm::raw_ostream &os, llvm::ArrayRef<DeviceInfo> devices);

/// Prints the devices as a JSON array of objects.
void print_devices_json(llvm::raw_ostream &os,
                        llvm::ArrayRef<DeviceInfo> devices);

} // namespace gpuexec

#endif
