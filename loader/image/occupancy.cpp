//===-- loader/image/occupancy.cpp - How many waves fit at once -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/image/occupancy.h"
#include "gpu/amd_processor.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuexec {

namespace {

struct NvidiaLimits {
  uint32_t warps, blocks, shared, parts;
};

std::optional<NvidiaLimits> nvidia_limits(StringRef arch) {
  unsigned number = 0;
  if (!arch.consume_front("sm_") || arch.consumeInteger(10, number))
    return std::nullopt;
  switch (number) {
#define NVIDIA_LIMITS(NUMBER, ...)                                             \
  case NUMBER:                                                                 \
    return NvidiaLimits{__VA_ARGS__};
#include "loader/image/nvidia_limits.def"
  default:
    return std::nullopt;
  }
}

/// Finds the smallest of several limits and its name. Of equal ones the first
/// counts.
struct Tightest {
  uint32_t blocks = UINT32_MAX;
  StringRef name;
  void consider(StringRef what, uint64_t allowed) {
    if (allowed < blocks) {
      blocks = allowed;
      name = what;
    }
  }
};

Occupancy finish(Occupancy result, const Tightest &tightest,
                 uint32_t waves_per_block) {
  result.blocks = tightest.blocks;
  result.waves = tightest.blocks * waves_per_block;
  result.limit = tightest.name;
  return result;
}

// On gfx8 and gfx9 the waves of a SIMD share 800 SGPRs. The steps are those of
// LLVM's scheduler.
uint32_t waves_by_sgprs(uint32_t sgprs, uint32_t max_waves) {
  uint32_t waves = sgprs <= 80 ? 10 : sgprs <= 88 ? 9 : sgprs <= 100 ? 8 : 7;
  return std::min(waves, max_waves);
}

/// Barriers of a compute unit. A block of one wave needs none.
constexpr uint32_t BLOCKS_WITH_BARRIERS = 16;

std::optional<Occupancy> amd_occupancy(const Image &image, const Kernel &kernel,
                                       uint32_t block_size, uint64_t shared) {
  const gpu::AmdProcessor *processor = gpu::find_amd_processor(image.arch());
  if (!processor || !processor->limits.vgprs || !kernel.resources.vgprs)
    return std::nullopt;
  const gpu::AmdLimits &limits = processor->limits;
  bool gfx10 = !image.arch().starts_with("gfx9");
  bool half = gfx10 && kernel.descriptor &&
              !(kernel.descriptor->compute_pgm_rsrc1 & gpu::AMD_WGP_MODE);
  bool narrow = gfx10 && kernel.wave_size == 64;
  uint32_t vgprs = limits.vgprs >> narrow,
           granule = limits.vgpr_granule >> narrow;
  Occupancy result;
  result.block_size = block_size;
  result.simds = half ? gpu::AMD_SIMDS / 2 : gpu::AMD_SIMDS;
  result.units = gfx10 && !half ? 2 : 1;
  result.max_waves = limits.waves * result.simds;
  uint32_t waves_per_block = divideCeil(block_size, kernel.wave_size);

  // 64 bits, because an image may contain numbers that no hardware has.
  uint64_t used =
      alignTo(uint64_t(std::max(*kernel.resources.vgprs, 1u)), granule);
  uint32_t by_vgprs = std::min<uint64_t>(vgprs / used, limits.waves);
  uint32_t by_sgprs =
      limits.sgprs_limit
          ? waves_by_sgprs(kernel.resources.sgprs.value_or(0), limits.waves)
          : limits.waves;
  result.register_waves = std::min(by_vgprs, by_sgprs) * result.simds;

  Tightest tightest;
  if (kernel.max_threads && block_size > kernel.max_threads)
    tightest.consider("block size", 0);
  tightest.consider("waves", result.max_waves / waves_per_block);
  if (waves_per_block > 1)
    tightest.consider("barriers", half || !gfx10 ? BLOCKS_WITH_BARRIERS
                                                 : 2 * BLOCKS_WITH_BARRIERS);
  tightest.consider("vector registers",
                    uint64_t(by_vgprs) * result.simds / waves_per_block);
  tightest.consider("scalar registers",
                    uint64_t(by_sgprs) * result.simds / waves_per_block);
  if (shared)
    tightest.consider("shared memory", (limits.lds >> half) /
                                           alignTo(shared, limits.lds_granule));
  return finish(result, tightest, waves_per_block);
}

constexpr uint32_t NVIDIA_REGISTERS = 65536, NVIDIA_REGISTER_UNIT = 256,
                   NVIDIA_MAX_BLOCK = 1024;
/// Bytes of each block's shared memory that CUDA reserves from sm_80 on;
/// Kernel::shared_size never includes them.
constexpr uint32_t NVIDIA_RESERVED_SHARED = 1024;

std::optional<Occupancy> nvidia_occupancy(const Image &image,
                                          const Kernel &kernel,
                                          uint32_t block_size,
                                          uint64_t shared) {
  std::optional<NvidiaLimits> limits = nvidia_limits(image.arch());
  if (!limits || !kernel.resources.vgprs)
    return std::nullopt;
  unsigned number = 0;
  image.arch().drop_front(3).consumeInteger(10, number);
  bool ampere = number >= 80;
  Occupancy result;
  result.block_size = block_size;
  result.simds = limits->parts;
  result.max_waves = limits->warps;
  uint32_t warps_per_block = divideCeil(block_size, 32);

  // A warp's registers are in one of the multiprocessor's partitions.
  uint64_t per_warp = std::max<uint64_t>(
      alignTo(uint64_t(*kernel.resources.vgprs) * 32, NVIDIA_REGISTER_UNIT), 1);
  uint32_t by_registers =
      NVIDIA_REGISTERS / limits->parts / per_warp * limits->parts;
  result.register_waves = std::min(by_registers, limits->warps);

  Tightest tightest;
  if (block_size > NVIDIA_MAX_BLOCK ||
      (kernel.max_threads && block_size > kernel.max_threads))
    tightest.consider("block size", 0);
  tightest.consider("waves", limits->warps / warps_per_block);
  tightest.consider("blocks", limits->blocks);
  tightest.consider("registers", by_registers / warps_per_block);
  shared += ampere ? NVIDIA_RESERVED_SHARED : 0;
  if (shared)
    tightest.consider("shared memory",
                      limits->shared / alignTo(shared, ampere ? 128 : 256));
  return finish(result, tightest, warps_per_block);
}

} // namespace

uint32_t default_block_size(const Kernel &kernel) {
  uint64_t required = 1;
  for (uint32_t size : kernel.required_block)
    required *= size;
  if (required)
    return std::min<uint64_t>(required, 1024);
  return kernel.max_threads ? std::min(kernel.max_threads, 256u) : 256;
}

std::optional<Occupancy> occupancy(const Image &image, const Kernel &kernel,
                                   uint32_t block_size,
                                   uint64_t dynamic_shared) {
  if (block_size == 0)
    return std::nullopt;
  // Clamped to more than any memory has, so that no sum below overflows.
  uint64_t shared = std::min(SaturatingAdd(kernel.shared_size, dynamic_shared),
                             uint64_t(1) << 40);
  return image.format() == Image::Format::amdgpu
             ? amd_occupancy(image, kernel, block_size, shared)
             : nvidia_occupancy(image, kernel, block_size, shared);
}

} // namespace gpuexec
