//===-- loader/device/cuda/library.h - Where CUDA's driver is ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_DEVICE_CUDA_LIBRARY_H
#define GPUEXEC_LOADER_DEVICE_CUDA_LIBRARY_H

#include "loader/device/device.h"

namespace gpuexec::cuda {

/// The library of CUDA's driver that has the device: a path, or a name for the
/// dynamic linker. Empty when the device is none of CUDA's.
std::string driver_library(const DeviceInfo &info);

} // namespace gpuexec::cuda

#endif
