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
  uint32_t own = 0;     ///< GPUEXEC_GRID_OF_...: how the program chooses its
                        ///< grid without --threads and --blocks; 0: it does
                        ///< not
  uint32_t workers = 0; ///< threads of POSIX or of OpenMP that this makes
};

/// Opens the device, loads the image and computes how much of `_start` (else of
/// the image's first kernel) the device holds. `block_size`: for a program that
/// does not choose its own grid. Errors: no such device, or it does not run the
/// image.
llvm::Expected<Resident> find_resident(const Image &image,
                                       const DeviceRequest &request,
                                       std::optional<uint32_t> block_size);

/// The line of text for a report.
std::string to_string(const Resident &resident);

} // namespace gpuexec::info

#endif
