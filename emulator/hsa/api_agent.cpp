//===-- emulator/hsa/api_agent.cpp - Agents and their caches --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/api.h"

#include <array>
#include <thread>

using namespace gpuexec::emulator;

static constexpr size_t NAME_SIZE = 64; // of an agent's name fields

GPUEXEC_EXPORT hsa_status_t
hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t, void *), void *data) {
  GPUEXEC_RUNTIME(runtime);
  return each(runtime->agents, callback, data,
              [](const auto &agent) { return agent->handle(); });
}

// Attributes that the installed header does not have yet.
enum : uint32_t {
  AGENT_INFO_MEMORY_AVAIL = 0xA015,
  AGENT_INFO_TIMESTAMP_FREQUENCY = 0xA016,
  AGENT_INFO_ASIC_FAMILY_ID = 0xA107,
  AGENT_INFO_UCODE_VERSION = 0xA108,
  AGENT_INFO_SDMA_UCODE_VERSION = 0xA109,
  AGENT_INFO_NUM_SDMA_ENG = 0xA10A,
  AGENT_INFO_NUM_SDMA_XGMI_ENG = 0xA10B,
  AGENT_INFO_IOMMU_SUPPORT = 0xA110,
  AGENT_INFO_NUM_XCC = 0xA111,
  AGENT_INFO_DRIVER_UID = 0xA112,
  AGENT_INFO_NEAREST_CPU = 0xA113,
  AGENT_INFO_MEMORY_PROPERTIES = 0xA114,
  AGENT_INFO_AQL_EXTENSIONS = 0xA115,
};

// The attributes that AMD added to HSA's. Numbers that a CPU agent lacks are 0.
static hsa_status_t amd_info(const Runtime &runtime, const Agent &agent,
                             uint32_t attribute, void *value) {
  const GpuModel *gpu = agent.model;
  switch (attribute) {
  case HSA_AMD_AGENT_INFO_CHIP_ID:
    return answer(value, gpu ? gpu->chip_id : 0);
  case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
    return answer(value, uint32_t(gpu ? 128 : 64));
  case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
  case HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT:
    return answer(value, gpu ? gpu->compute_units
                             : std::thread::hardware_concurrency());
  case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
    return answer(value, gpu ? gpu->clock_mhz : 0);
  case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
  case AGENT_INFO_DRIVER_UID:
    return answer(value, agent.node);
  case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
    return answer(value, uint32_t(gpu ? 4 : 1));
  case HSA_AMD_AGENT_INFO_BDFID:
    return answer(value, gpu ? agent.node << 8 : 0);
  case HSA_AMD_AGENT_INFO_MEMORY_WIDTH:
    return answer(value, gpu ? gpu->memory_width : 0);
  case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY:
    return answer(value, gpu ? gpu->memory_mhz : 0);
  case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
    return answer_text(value, NAME_SIZE, agent.product);
  case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
    return answer(value, gpu ? gpu->waves_per_cu() : 0);
  case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU:
    return answer(value, gpu ? gpuexec::gpu::AMD_SIMDS : 0);
  case HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES:
    return answer(value, gpu ? gpu->shader_engines : 0);
  case HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE:
    return answer(value, gpu ? gpu->arrays_per_engine : 0);
  case HSA_AMD_AGENT_INFO_HDP_FLUSH:
    return answer(value, hsa_amd_hdp_flush_t{nullptr, nullptr});
  case HSA_AMD_AGENT_INFO_DOMAIN:
  case HSA_AMD_AGENT_INFO_ASIC_REVISION:
  case AGENT_INFO_ASIC_FAMILY_ID:
  case AGENT_INFO_UCODE_VERSION:
  case AGENT_INFO_SDMA_UCODE_VERSION:
  case AGENT_INFO_NUM_SDMA_XGMI_ENG:
  case AGENT_INFO_IOMMU_SUPPORT:
    return answer(value, uint32_t(0));
  case AGENT_INFO_NUM_SDMA_ENG: // see hsa_amd_memory_copy_engine_status
    return answer(value, uint32_t(agent.is_gpu()));
  case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
    return answer(value, agent.is_gpu());
  case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
    return answer(value, true);
  case HSA_AMD_AGENT_INFO_UUID: {
    // "GPU-" and 16 digits. An agent has the same UUID on every machine:
    // nothing tells two emulated ones apart.
    char text[24];
    if (agent.is_gpu())
      snprintf(text, sizeof(text), "GPU-67707565%04x%04x", gpu->chip_id,
               agent.node);
    else
      snprintf(text, sizeof(text), "CPU-XX");
    return answer_text(value, 21, text);
  }
  case AGENT_INFO_MEMORY_AVAIL: {
    uint64_t used = runtime.machine.memory.live_bytes(),
             size = agent.pools.front()->size;
    return answer(value, size > used ? size - used : 0);
  }
  case AGENT_INFO_TIMESTAMP_FREQUENCY:
    return answer(value, CLOCK_HZ);
  case AGENT_INFO_NUM_XCC:
    return answer(value, gpu ? gpu->xccs : 0);
  case AGENT_INFO_NEAREST_CPU:
    return answer(value, runtime.agents.front()->handle());
  case AGENT_INFO_MEMORY_PROPERTIES:
  case AGENT_INFO_AQL_EXTENSIONS:
    return answer(value, std::array<uint8_t, 8>{});
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

GPUEXEC_EXPORT hsa_status_t hsa_agent_get_info(hsa_agent_t handle,
                                               hsa_agent_info_t attribute,
                                               void *value) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(agent, runtime->agent(handle), AGENT);
  GPUEXEC_REQUIRE(value, ARGUMENT);
  bool gpu = agent->is_gpu();
  switch (uint32_t(attribute)) {
  case HSA_AGENT_INFO_NAME:
    return answer_text(value, NAME_SIZE, agent->name);
  case HSA_AGENT_INFO_VENDOR_NAME:
    return answer_text(value, NAME_SIZE, gpu ? "AMD" : "CPU");
  case HSA_AGENT_INFO_FEATURE:
    return answer(value, uint32_t(gpu ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : 0));
  case HSA_AGENT_INFO_MACHINE_MODEL:
    return answer(value, HSA_MACHINE_MODEL_LARGE);
  case HSA_AGENT_INFO_PROFILE:
    return answer(value, gpu ? HSA_PROFILE_BASE : HSA_PROFILE_FULL);
  case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
  case HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
    return answer(value, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
  case HSA_AGENT_INFO_FAST_F16_OPERATION:
    return answer(value, gpu);
  case HSA_AGENT_INFO_WAVEFRONT_SIZE:
    return answer(value, gpu ? agent->model->processor.limits.wave_size()
                             : uint32_t(0));
  case HSA_AGENT_INFO_WORKGROUP_MAX_DIM: {
    uint16_t limit = gpu ? MAX_GROUP_SIZE : 0;
    uint16_t sizes[3] = {limit, limit, limit};
    memcpy(value, sizes, sizeof(sizes));
    return HSA_STATUS_SUCCESS;
  }
  case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
    return answer(value, gpu ? MAX_GROUP_SIZE : 0);
  case HSA_AGENT_INFO_GRID_MAX_DIM: {
    uint32_t limit = gpu ? UINT32_MAX : 0;
    return answer(value, hsa_dim3_t{limit, limit, limit});
  }
  case HSA_AGENT_INFO_GRID_MAX_SIZE:
    return answer(value, uint32_t(gpu ? UINT32_MAX : 0));
  case HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
    return answer(value, uint32_t(gpu ? 32 : 0));
  case HSA_AGENT_INFO_QUEUES_MAX:
    return answer(value, uint32_t(gpu ? 128 : 0));
  case HSA_AGENT_INFO_QUEUE_MIN_SIZE:
    return answer(value, gpu ? MIN_QUEUE_SIZE : 0);
  case HSA_AGENT_INFO_QUEUE_MAX_SIZE:
    return answer(value, gpu ? MAX_QUEUE_SIZE : 0);
  case HSA_AGENT_INFO_QUEUE_TYPE:
    return answer(value, HSA_QUEUE_TYPE_MULTI);
  case HSA_AGENT_INFO_NODE:
    return answer(value, agent->node);
  case HSA_AGENT_INFO_DEVICE:
    return answer(value, agent->type);
  case HSA_AGENT_INFO_CACHE_SIZE: {
    uint32_t sizes[4] = {};
    if (gpu) {
      sizes[0] = agent->model->l1_kib * 1024;
      sizes[1] = agent->model->l2_kib * 1024;
    }
    memcpy(value, sizes, sizeof(sizes));
    return HSA_STATUS_SUCCESS;
  }
  case HSA_AGENT_INFO_ISA:
    return answer(value, agent->isas.empty() ? hsa_isa_t{0}
                                             : agent->isas.front()->handle());
  case HSA_AGENT_INFO_EXTENSIONS:
    return hsa_system_get_info(HSA_SYSTEM_INFO_EXTENSIONS, value);
  case HSA_AGENT_INFO_VERSION_MAJOR:
  case HSA_AGENT_INFO_VERSION_MINOR:
    return answer(value, uint16_t(1));
  }
  return amd_info(*runtime, *agent, attribute, value);
}

GPUEXEC_EXPORT hsa_status_t hsa_agent_get_exception_policies(hsa_agent_t handle,
                                                             hsa_profile_t,
                                                             uint16_t *mask) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->agent(handle), AGENT);
  return no_exception_policies(mask);
}

// Cache handles are the agent's handle plus the level.
GPUEXEC_EXPORT hsa_status_t hsa_agent_iterate_caches(
    hsa_agent_t handle, hsa_status_t (*callback)(hsa_cache_t, void *),
    void *data) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(agent, runtime->agent(handle), AGENT);
  GPUEXEC_REQUIRE(callback, ARGUMENT);
  for (uint64_t level = 1; agent->is_gpu() && level <= 2; ++level)
    if (hsa_status_t status =
            callback(hsa_cache_t{handle.handle + level}, data);
        status != HSA_STATUS_SUCCESS)
      return status;
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_cache_get_info(hsa_cache_t cache,
                                               hsa_cache_info_t attribute,
                                               void *value) {
  GPUEXEC_RUNTIME(runtime);
  for (const auto &agent : runtime->agents) {
    uint64_t level = cache.handle - agent->handle().handle;
    if (!agent->is_gpu() || level < 1 || level > 2)
      continue;
    if (!value)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    std::string name = agent->name + " L" + std::to_string(level);
    switch (attribute) {
    case HSA_CACHE_INFO_NAME_LENGTH:
      return answer(value, uint32_t(name.size()));
    case HSA_CACHE_INFO_NAME:
      memcpy(value, name.c_str(), name.size() + 1);
      return HSA_STATUS_SUCCESS;
    case HSA_CACHE_INFO_LEVEL:
      return answer(value, uint8_t(level));
    case HSA_CACHE_INFO_SIZE:
      return answer(value,
                    (level == 1 ? agent->model->l1_kib : agent->model->l2_kib) *
                        1024);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
  return HSA_STATUS_ERROR_INVALID_CACHE;
}
