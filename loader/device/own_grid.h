//===-- loader/device/own_grid.h - Programs that divide their work - C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with OpenMP or threads of its own is launched with what the device
// holds at once. Pure.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_OWN_GRID_H
#define GPUEXEC_LOADER_DEVICE_OWN_GRID_H

#include "gpu/start_up.h"
#include "loader/device/device.h"

namespace gpuexec {

/// Blocks of so many threads that the device holds at once; where that is not
/// known, one for each of its units. `kernel`: with what it uses on this
/// device.
uint64_t resident_blocks(const Image &image, const Kernel &kernel,
                         const DeviceInfo &device, uint32_t threads);

/// Do kernels of a vendor's library have room beside the grid? Blocks that wait
/// for them must leave some multiprocessors empty: a block of such a kernel may
/// need a whole one, and some kernels begin only when all of their blocks can.
bool leaves_room(const Grid &grid, const DeviceInfo &device);

/// What is launched of a program that divides its work by itself (GPUEXEC_GRID,
/// `own`), when a user asks for `wanted` or, null, for nothing: as many blocks
/// as the device holds at once, or as leave room for a library's kernels where it
/// `shares_device`. `start` is the kernel, with what it uses on this device. Fails when `own` is nothing that our start-up
/// code writes, and when the device cannot hold what a user asks for.
llvm::Expected<Grid> own_grid(const Image &image, const Kernel &start,
                              const DeviceInfo &device, const gpuexec_grid &own,
                              const Grid *wanted, bool shares_device);

} // namespace gpuexec

#endif
