//===-- loader/device/own_grid.h - Programs that divide their work - C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with OpenMP or threads of its own is launched with as many blocks
// as the device holds at once. The functions have no side effects.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_OWN_GRID_H
#define GPUEXEC_LOADER_DEVICE_OWN_GRID_H

#include "gpu/start_up.h"
#include "loader/device/device.h"

namespace gpuexec {

/// The number of blocks of `threads` threads that the device holds at once; if
/// that is not known, one for each of its units. `kernel`: with the resources
/// that it uses on this device.
uint64_t resident_blocks(const Image &image, const Kernel &kernel,
                         const DeviceInfo &device, uint32_t threads);

/// Whether kernels of a vendor's library have room beside the grid. A program
/// that waits for them must leave some multiprocessors empty: a block of such a
/// kernel may need a whole multiprocessor, and some kernels begin only when all
/// of their blocks can.
bool leaves_room(const Grid &grid, const DeviceInfo &device);

/// The grid for a program that divides its work by itself. `own`: the image's
/// GPUEXEC_GRID; `wanted`: the grid that the user asks for, or null; `start`:
/// the kernel, with the resources that it uses on this device. Without `wanted`
/// there are as many blocks as the device holds at once; if `shares_device`, as
/// many as leave room for a library's kernels. Fails if gpucc's start-up code
/// cannot have written `own`, or if the device cannot hold the user's grid.
llvm::Expected<Grid> own_grid(const Image &image, const Kernel &start,
                              const DeviceInfo &device, const gpuexec_grid &own,
                              const Grid *wanted, bool shares_device);

} // namespace gpuexec

#endif
