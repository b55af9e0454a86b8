//===-- loader/info/occupancy.h - How many waves fit at once ----*- C++ -*-===//
// What of a kernel fits on one processor of the GPU at the same time: a compute
// unit (gfx9), a work-group processor (gfx10 and later) or a streaming
// multiprocessor (NVIDIA). A calculation on public numbers, no measurement:
// AMDGPUUsage and the ISA manuals for AMD, "Technical Specifications per
// Compute Capability" of the CUDA programming guide for NVIDIA.

#ifndef GPUEXEC_LOADER_INFO_OCCUPANCY_H
#define GPUEXEC_LOADER_INFO_OCCUPANCY_H

#include "loader/image/image.h"

namespace gpuexec::info {

struct Occupancy {
  uint32_t block_size = 0; ///< threads, as assumed
  uint32_t blocks =
      0; ///< resident at once on one processor; 0: a block does not fit at all
  uint32_t waves = 0;          ///< of these blocks together
  uint32_t max_waves = 0;      ///< that the processor can hold
  uint32_t register_waves = 0; ///< waves that its registers alone would allow
  uint32_t simds = 0;          ///< the waves are spread over so many units
  llvm::StringRef limit;       ///< what keeps the next block out: "waves" when
                               ///< nothing but the processor's own maximum does
  double fraction() const { return max_waves ? double(waves) / max_waves : 0; }
};

/// The block size that a report assumes when none is asked for: what the kernel
/// requires, else 256 or what it allows.
uint32_t default_block_size(const Kernel &kernel);

/// Empty when the architecture is not in the tables or the image does not tell
/// the registers (PTX). `dynamic_shared`: bytes that the launch adds.
std::optional<Occupancy> occupancy(const Image &image, const Kernel &kernel,
                                   uint32_t block_size,
                                   uint64_t dynamic_shared = 0);

} // namespace gpuexec::info

#endif
