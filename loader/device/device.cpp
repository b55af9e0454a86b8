//===-- loader/device/device.cpp - Grids, facts and capabilities ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/device.h"
#include <algorithm>

namespace gpuexec {

std::string DeviceInfo::spec() const {
  if (emulated && index == 0)
    return backend;
  return llvm::formatv("{0}:{1}", backend, index).str();
}

uint64_t DeviceInfo::resident_waves() const {
  return std::max<uint64_t>(1, uint64_t(units) * waves_per_unit);
}

llvm::StringRef DeviceInfo::arch() const {
  return llvm::StringRef(target_id).split(':').first;
}

static uint64_t saturating_product(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t Grid::threads_per_block() const {
  return saturating_product(uint64_t(threads[0]) * threads[1], threads[2]);
}

uint64_t Grid::block_count() const {
  return saturating_product(uint64_t(blocks[0]) * blocks[1], blocks[2]);
}

uint64_t Grid::waves(uint32_t wave_size) const {
  uint64_t per_block = threads_per_block();
  return saturating_product(
      per_block / wave_size + (per_block % wave_size != 0), block_count());
}

llvm::Expected<Leasable &> need_leasable(Device &device) {
  if (Leasable *leasable = device.leasable())
    return *leasable;
  return failure(Reason::failed,
                 "{0} cannot be lent: it runs one program only, and does not "
                 "reach memory of other processes",
                 device.info().spec());
}

llvm::Expected<Observable &> need_observable(Device &device) {
  if (Observable *observable = device.observable())
    return *observable;
  return failure(Reason::failed, "only an emulated AMD GPU can do that");
}

llvm::Expected<Lockstep &> need_lockstep(Device &device) {
  if (Lockstep *lockstep = device.lockstep())
    return *lockstep;
  return failure(Reason::failed,
                 "only the emulated device can do that, in gpuexec's own "
                 "process: --device=emulator --server=off, without --sandbox");
}

} // namespace gpuexec
