//===-- emulator/cuda/driver/visible.h - Is the device hidden? --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Also of libcuda for lent devices (lending/cuda/client/).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_VISIBLE_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_VISIBLE_H

#include <cstdlib>
#include <cstring>

namespace gpuexec::cuda {

/// Whether the program sees our device, which has the number 0 and is the only
/// one. CUDA_VISIBLE_DEVICES lists devices up to the first that is none.
inline bool is_device_visible() {
  const char *list = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!list)
    return true;
  char *end = nullptr;
  const long first = std::strtol(list, &end, 10);
  return (end != list && first == 0) || std::strncmp(list, "GPU-", 4) == 0;
}

} // namespace gpuexec::cuda

#endif
