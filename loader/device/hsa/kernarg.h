//===-- loader/device/hsa/kernarg.h - The argument block of a kernel -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The block that the device reads through its kernarg pointer: the explicit
// arguments, then the implicit ones that the kernel's metadata lists
// (AMDGPUUsage, code object V4 to V6). These functions have no side effects.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_HSA_KERNARG_H
#define GPUEXEC_LOADER_DEVICE_HSA_KERNARG_H

#include "loader/device/device.h"

namespace gpuexec::hsa {

/// Facts from which implicit arguments are filled, besides the grid.
struct KernargFacts {
  uint64_t queue_address = 0; ///< of the hsa_queue_t
  uint32_t dynamic_lds_size = 0;
  uint32_t private_base = 0; ///< upper halves of the apertures; 0 where the ISA
  uint32_t shared_base = 0;  ///< has registers for them
};

/// The number of dimensions of a launch, for the packet and `grid_dims`: 3 if
/// the z size of grid or block is above 1, else 2 if the y size is, else 1.
uint16_t dimensions(const Grid &grid);

/// Stack per thread, in bytes, for a kernel whose need the compiler could not
/// bound, if the user has not chosen it: more when few waves share the device's
/// memory. `emulated`: untouched memory costs nothing, and the hardware's limit
/// does not apply.
uint32_t default_stack(uint64_t threads, uint64_t waves, bool emulated);
/// The largest stack of a thread, in bytes.
uint64_t largest_stack(bool emulated);

/// The kernel's kernarg block, exactly Kernel::kernarg_size bytes. Errors:
/// `arguments` has another size than the kernel's explicit arguments, or
/// metadata places an argument outside of the block.
llvm::Expected<std::vector<std::byte>>
fill_kernarg(const Kernel &kernel, const Grid &grid, const KernargFacts &facts,
             llvm::ArrayRef<std::byte> arguments);

} // namespace gpuexec::hsa

#endif
