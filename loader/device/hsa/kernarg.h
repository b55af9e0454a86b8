//===-- loader/device/hsa/kernarg.h - The argument block of a kernel -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device reads through its kernarg pointer: the explicit arguments,
// then the implicit ones that the kernel's metadata lists (AMDGPUUsage, code
// object V4 to V6; llvm-gpu-abi.md 4.5). Pure: bytes in, bytes out.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_HSA_KERNARG_H
#define GPUEXEC_LOADER_DEVICE_HSA_KERNARG_H

#include "loader/device/device.h"

namespace gpuexec::hsa {

/// What implicit arguments are filled from, beside the grid.
struct KernargFacts {
  uint64_t queue_address = 0; ///< of the hsa_queue_t
  uint32_t dynamic_lds_size = 0;
  uint32_t private_base = 0; ///< upper halves of the apertures; 0 where the ISA
  uint32_t shared_base = 0;  ///< has registers for them
};

/// The dimensions of a launch as the packet and `grid_dims` count them: 3 if
/// anything is above 1 in z, else 2 if in y, else 1.
uint16_t dimensions(const Grid &grid);

/// Stack per thread, in bytes, for a kernel whose need the compiler could not
/// bound, unless a user chose it: more when few waves share the device's
/// memory. `emulated`: memory that is not touched costs nothing, and what the
/// hardware can address does not matter.
uint32_t default_stack(uint64_t threads, uint64_t waves, bool emulated);
/// The most that a thread can have.
uint64_t largest_stack(bool emulated);

/// The kernel's kernarg block, exactly Kernel::kernarg_size bytes. Errors:
/// `arguments` has another size than the kernel's explicit arguments, or
/// metadata places an argument outside of the block.
llvm::Expected<std::vector<std::byte>>
fill_kernarg(const Kernel &kernel, const Grid &grid, const KernargFacts &facts,
             llvm::ArrayRef<std::byte> arguments);

} // namespace gpuexec::hsa

#endif
