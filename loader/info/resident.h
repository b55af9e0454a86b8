//===-- loader/info/resident.h - What a device holds at once ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_INFO_RESIDENT_H
#define GPUEXEC_LOADER_INFO_RESIDENT_H

#include "loader/device/device.h"

namespace gpuexec::info {

/// How much of a kernel a device holds at once.
struct Resident {
  DeviceInfo device;
  std::string kernel;
  uint32_t threads = 0; ///< of a block
  uint64_t blocks = 0;  ///< at the same time
  uint64_t waves = 0;   ///< of these together
  uint32_t own = 0;     ///< GPUEXEC_GRID_OF_...: what the program is launched
                        ///< with, without --threads and --blocks; 0: it does
                        ///< not say
  uint32_t workers = 0; ///< threads of POSIX or of OpenMP that this makes
};

/// Opens the device, loads the image and computes that: for `_start`, or for
/// the image's first kernel. `block_size`: of a program that does not say what
/// it is launched with. Errors: no such device, or it does not run the image.
llvm::Expected<Resident> find_resident(const Image &image,
                                       const DeviceRequest &request,
                                       std::optional<uint32_t> block_size);

/// A line of text.
std::string to_string(const Resident &resident);

} // namespace gpuexec::info

#endif
