//===-- loader/image/occupancy.h - How many waves fit at once --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes how many blocks of a kernel are resident at once on one processor of
// the GPU: a compute unit (gfx9), a work-group processor (gfx10 and later) or a
// streaming multiprocessor (NVIDIA). Nothing is measured. The numbers are from
// AMDGPUUsage and the ISA manuals for AMD, and from "Technical Specifications
// per Compute Capability" of the CUDA programming guide for NVIDIA.

#ifndef GPUEXEC_LOADER_IMAGE_OCCUPANCY_H
#define GPUEXEC_LOADER_IMAGE_OCCUPANCY_H

#include "loader/image/image.h"

namespace gpuexec {

struct Occupancy {
  uint32_t block_size = 0;     ///< threads of a block, as assumed
  uint32_t blocks = 0;         ///< resident per processor; 0: none fits
  uint32_t waves = 0;          ///< of these blocks together
  uint32_t max_waves = 0;      ///< the processor's maximum
  uint32_t register_waves = 0; ///< waves if only registers limited them
  uint32_t simds = 0;          ///< SIMD units of a processor
  uint32_t units = 1;          ///< compute units of a processor
  llvm::StringRef limit;       ///< the resource that excludes one more block;
                               ///< "waves": the processor's maximum
  double fraction() const { return max_waves ? double(waves) / max_waves : 0; }
};

/// The block size that a report assumes by default: the one that the kernel
/// requires, else 256, or its maximum when that is less.
uint32_t default_block_size(const Kernel &kernel);

/// The occupancy of one processor by blocks of `block_size` threads. Empty when
/// the architecture is not in the tables or the image does not contain the
/// register counts (PTX). `dynamic_shared`: bytes of shared memory that the
/// launch adds.
std::optional<Occupancy> occupancy(const Image &image, const Kernel &kernel,
                                   uint32_t block_size,
                                   uint64_t dynamic_shared = 0);

} // namespace gpuexec

#endif
