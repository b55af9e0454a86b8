//===-- loader/device/own_grid.cpp - Programs that divide their work ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/own_grid.h"
#include "loader/image/occupancy.h"
#include "support/failure.h"
#include "llvm/Support/MathExtras.h"

namespace gpuexec {

/// The largest grid, on an emulated device, of a program that divides its work
/// by itself: in waves if one lane of each works, else in lanes. Every lane
/// that works takes time of the host; a wave without a thread takes almost
/// none.
constexpr uint32_t MOST_EMULATED_WAVES = 1024, MOST_EMULATED_LANES = 1024;
/// The same for lanes that are alone in their waves and wait for each other,
/// and how many such waves fit into an emulated device's memory (4 GiB for
/// their registers and stacks).
constexpr uint32_t MOST_EMULATED_LONE_LANES = 128, LONE_LANES_THAT_FIT = 768;

/// The most blocks that leave room for a library's kernels: a quarter of the
/// multiprocessors, because each block gets its own while there are free ones.
static uint64_t blocks_with_room(const DeviceInfo &device) {
  return std::max<uint64_t>(1, device.units / 4);
}

bool leaves_room(const Grid &grid, const DeviceInfo &device) {
  return grid.block_count() <= blocks_with_room(device);
}

uint64_t resident_blocks(const Image &image, const Kernel &kernel,
                         const DeviceInfo &device, uint32_t threads) {
  const std::optional<Occupancy> found = occupancy(image, kernel, threads);
  return found ? uint64_t(found->blocks) * (device.units / found->units)
               : device.units;
}

/// Fails if the device cannot hold a user's grid at once. Its threads wait for
/// each other, so the program would never end.
static llvm::Error check_fits(const Image &image, const Kernel &start,
                              const DeviceInfo &device, const Grid &wanted) {
  const uint32_t threads = uint32_t(wanted.threads_per_block());
  const std::optional<Occupancy> found = occupancy(image, start, threads);
  if ((device.emulated && threads > 1) || !found ||
      threads > 1024) // the launch refuses these
    return llvm::Error::success();
  const uint64_t most = device.emulated
                            ? LONE_LANES_THAT_FIT
                            : resident_blocks(image, start, device, threads);
  if (wanted.block_count() <= most)
    return llvm::Error::success();
  return failure(
      Reason::not_runnable,
      "{0}: its threads wait for each other, so all must be on the "
      "device at once: that holds {1} blocks of {2} thread{4}, not {3} "
      "(--threads, --blocks)",
      image.name(), most, threads, wanted.block_count(),
      threads == 1 ? "" : "s");
}

static Grid blocks_of_one(uint64_t threads) {
  Grid grid;
  grid.blocks[0] = uint32_t(std::min<uint64_t>(threads, UINT32_MAX));
  return grid;
}

llvm::Expected<Grid> own_grid(const Image &image, const Kernel &start,
                              const DeviceInfo &device, const gpuexec_grid &own,
                              const Grid *wanted, bool shares_device) {
  const bool of_waves = own.kind == GPUEXEC_GRID_OF_WAVES;
  if ((!of_waves && own.kind != GPUEXEC_GRID_OF_LANES) || !own.threads ||
      own.threads > 1024)
    return failure(
        Reason::not_runnable,
        "{0}: '{1}' holds {2} and {3}, which no start-up code writes",
        image.name(), GPUEXEC_GRID, own.kind, own.threads);
  const bool of_lone_lanes = !of_waves && own.threads == 1;
  if (wanted && !of_waves) {
    Grid grid = *wanted;
    if (of_lone_lanes)
      grid = blocks_of_one(wanted->threads_per_block() * wanted->block_count());
    if (llvm::Error error = check_fits(image, start, device, grid))
      return error;
    return grid;
  }
  Grid grid;
  grid.threads[0] = own.threads;
  const uint64_t waves_of_block =
      std::max<uint64_t>(1, grid.waves(start.wave_size));
  // An emulated device holds what the host has memory for; each block takes
  // time to begin and to end.
  const uint64_t most_waves = !device.emulated ? GPUEXEC_MOST_WAVES
                              : of_waves       ? MOST_EMULATED_WAVES
                              : of_lone_lanes
                                  ? MOST_EMULATED_LONE_LANES
                                  : MOST_EMULATED_LANES / start.wave_size;
  const uint64_t most = std::max<uint64_t>(1, most_waves / waves_of_block);
  uint64_t blocks = wanted
                        ? llvm::SaturatingMultiply(wanted->threads_per_block(),
                                                   wanted->block_count())
                        : resident_blocks(image, start, device, own.threads);
  if (!wanted && shares_device)
    blocks = std::min(blocks, blocks_with_room(device));
  grid.blocks[0] = uint32_t(std::clamp<uint64_t>(blocks, 1, most));
  return grid;
}

} // namespace gpuexec
