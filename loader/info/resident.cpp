//===-- loader/info/resident.cpp - What a device holds at once ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/info/resident.h"
#include "loader/device/own_grid.h"
#include "loader/image/occupancy.h"
#include "loader/job/needed_services.h"
#include "support/failure.h"
#include "support/printable.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuexec::info {

namespace {

/// How the program chooses its grid; `kind` is 0 when it does not.
Expected<gpuexec_grid> read_grid(Device &device, Module &module,
                                 const Image &image) {
  gpuexec_grid grid = {};
  const Global *global = image.find_global(GPUEXEC_GRID);
  if (!global || !global->defined || global->size != sizeof grid)
    return grid;
  Expected<std::optional<DeviceAddress>> address =
      module.find_global(GPUEXEC_GRID);
  if (!address)
    return address.takeError();
  if (*address)
    if (Error error = device.queue().copy_from_device(
            {reinterpret_cast<std::byte *>(&grid), sizeof grid}, **address))
      return std::move(error);
  return grid;
}

/// OpenMP's threads of a grid: on an AMD GPU the first wave has one
/// (libc-shim/openmp/team.h).
uint32_t openmp_threads(const Image &image, const Grid &grid,
                        uint32_t wave_size) {
  const uint64_t all = grid.threads_per_block() * grid.block_count();
  const uint64_t first =
      std::min<uint64_t>(wave_size, grid.threads_per_block());
  return uint32_t(image.format() == Image::Format::amdgpu ? all - (first - 1)
                                                          : all);
}

} // namespace

Expected<Resident> find_resident(const Image &image,
                                 const DeviceRequest &request,
                                 std::optional<uint32_t> block_size) {
  Expected<OpenedDevice> opened =
      open_device(request, OpenSettings(), ArrayRef<Image>(&image, 1));
  if (!opened)
    return opened.takeError();
  Device &device = *opened->device;
  Expected<std::unique_ptr<Module>> module = device.load(image, {});
  if (!module)
    return module.takeError();
  const Kernel *start = image.find_kernel(GPUEXEC_START_KERNEL);
  if (!start && !image.kernels().empty())
    start = &image.kernels().front();
  if (!start)
    return failure(Reason::not_runnable, "{0}: no kernels", image.name());
  Kernel kernel = *start;
  kernel.resources = (*module)->resources(*start);
  Expected<gpuexec_grid> own = read_grid(device, **module, image);
  if (!own)
    return own.takeError();

  Resident result;
  result.device = device.info();
  result.kernel = kernel.name;
  Grid grid;
  if (own->kind) {
    Expected<Grid> found = own_grid(image, kernel, device.info(), *own,
                                    /*wanted=*/nullptr, shares_device(image));
    if (!found)
      return found.takeError();
    grid = *found;
    result.own = own->kind;
  } else {
    grid.threads[0] = block_size.value_or(default_block_size(kernel));
    grid.blocks[0] = uint32_t(
        resident_blocks(image, kernel, device.info(), grid.threads[0]));
  }
  result.threads = grid.threads[0];
  result.blocks = grid.blocks[0];
  result.waves = grid.waves(kernel.wave_size);
  if (own->kind == GPUEXEC_GRID_OF_WAVES)
    result.workers = uint32_t(result.waves);
  else if (own->kind)
    result.workers = openmp_threads(image, grid, kernel.wave_size);
  return result;
}

std::string to_string(const Resident &resident) {
  std::string text =
      formatv("{0} ({1}): {2} wave{3} of {4}, {5} block{6} of {7}",
              resident.device.spec(), printable(resident.device.target_id),
              resident.waves, resident.waves == 1 ? "" : "s",
              printable(resident.kernel), resident.blocks,
              resident.blocks == 1 ? "" : "s", resident.threads);
  if (resident.own)
    text += formatv(": {0} thread{1} of {2}", resident.workers,
                    resident.workers == 1 ? "" : "s",
                    resident.own == GPUEXEC_GRID_OF_WAVES ? "POSIX" : "OpenMP");
  return text;
}

} // namespace gpuexec::info
