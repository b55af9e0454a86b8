//===-- emulator/hsa/agent.h - Agents, ISAs, memory pools -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Agents, their ISAs and memory pools: constant after hsa_init. Handles are
// addresses of these objects.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_HSA_AGENT_H
#define GPUEXEC_EMULATOR_HSA_AGENT_H

#include "emulator/machine/memory.h"
#include "gpu/amd_processor.h"
#include "gpu/emulated_processors.h"

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <memory>
#include <string>
#include <vector>

namespace gpuexec::emulator {

struct Agent;

struct Isa {
  std::string name; // amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-
  const Agent *agent = nullptr;
  hsa_isa_t handle() const { return {reinterpret_cast<uint64_t>(this)}; }
};

struct Pool {
  Agent *agent = nullptr;
  hsa_amd_segment_t segment = HSA_AMD_SEGMENT_GLOBAL;
  uint32_t flags = 0; // hsa_amd_memory_pool_global_flag_t
  uint64_t size = 0;  // bytes
  MemoryKind kind = MemoryKind::device;
  bool allocates() const { return segment == HSA_AMD_SEGMENT_GLOBAL; }
  hsa_amd_memory_pool_t handle() const {
    return {reinterpret_cast<uint64_t>(this)};
  }
  hsa_region_t region() const {
    return {reinterpret_cast<uint64_t>(this)};
  } // HSA's older word for a pool
};

/// Facts about one product, from the vendor's public data sheets.
struct GpuModel {
  const gpu::AmdProcessor &processor;
  const char *features; // of the ISA's name: ":sramecc+:xnack-", ":xnack-", ""
  const char *product;  // marketing name
  uint32_t chip_id, compute_units, shader_engines, arrays_per_engine;
  uint32_t clock_mhz, memory_width, memory_mhz, l1_kib, l2_kib;
  uint32_t xccs;
  uint32_t waves_per_cu() const {
    return processor.limits.waves * gpu::AMD_SIMDS /
           processor.limits.compute_units();
  }
};

struct Agent {
  hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
  std::string name, product;
  uint32_t node = 0;
  const GpuModel *model = nullptr; // GPUs only
  std::vector<std::unique_ptr<Isa>> isas;
  std::vector<std::unique_ptr<Pool>> pools;
  bool is_gpu() const { return type == HSA_DEVICE_TYPE_GPU; }
  hsa_agent_t handle() const { return {reinterpret_cast<uint64_t>(this)}; }
};

/// The GPUs of a process for which GPUEXEC_EMULATOR_ARCH is not set.
inline constexpr const char *DEFAULT_PROCESSORS = gpu::EMULATED_PROCESSORS;
inline constexpr uint32_t MAX_GROUP_SIZE = 1024;
inline constexpr uint32_t MIN_QUEUE_SIZE = 64, MAX_QUEUE_SIZE = 128 * 1024;

/// Agents for the host and for each GPU that `processors` names
/// ("gfx942,gfx90a"). A name that is not known is reported on standard error
/// and left out.
std::vector<std::unique_ptr<Agent>> make_agents(const char *processors);

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_AGENT_H
