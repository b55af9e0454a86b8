//===-- emulator/hsa/api_region.cpp - Regions, HSA's older word for pools -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/api.h"

using namespace gpuexec::emulator;

// The regions of the agent and, for a GPU, those of the host as well: the
// specification wants each GPU to have a region for kernel arguments.
GPUEXEC_EXPORT hsa_status_t hsa_agent_iterate_regions(
    hsa_agent_t handle, hsa_status_t (*callback)(hsa_region_t, void *),
    void *data) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(agent, runtime->agent(handle), AGENT);
  auto region_of = [](const auto &pool) { return pool->region(); };
  hsa_status_t status = each(agent->pools, callback, data, region_of);
  if (status == HSA_STATUS_SUCCESS && agent->is_gpu())
    for (const auto &other : runtime->agents)
      if (!other->is_gpu() && status == HSA_STATUS_SUCCESS)
        status = each(other->pools, callback, data, region_of);
  return status;
}

GPUEXEC_EXPORT hsa_status_t hsa_region_get_info(hsa_region_t handle,
                                                hsa_region_info_t attribute,
                                                void *value) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(pool, runtime->pool(handle.handle), REGION);
  GPUEXEC_REQUIRE(value, ARGUMENT);
  switch (attribute) {
  case HSA_REGION_INFO_SEGMENT:
    return answer(value, pool->segment == HSA_AMD_SEGMENT_GROUP
                             ? HSA_REGION_SEGMENT_GROUP
                             : HSA_REGION_SEGMENT_GLOBAL);
  case HSA_REGION_INFO_GLOBAL_FLAGS:
    return answer(value, pool->flags);
  case HSA_REGION_INFO_SIZE:
  case HSA_REGION_INFO_ALLOC_MAX_SIZE:
    return answer(value, size_t(pool->size));
  case HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE:
    return answer(value, uint32_t(0));
  case HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED:
    return answer(value, pool->allocates());
  case HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE:
  case HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT:
    return answer(value,
                  size_t(pool->allocates() ? PageAllocator::PAGE_SIZE : 0));
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

GPUEXEC_EXPORT hsa_status_t hsa_memory_allocate(hsa_region_t region,
                                                size_t size, void **pointer) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->pool(region.handle), REGION);
  return hsa_amd_memory_pool_allocate({region.handle}, size, 0, pointer);
}

GPUEXEC_EXPORT hsa_status_t hsa_memory_free(void *pointer) {
  return hsa_amd_memory_pool_free(pointer);
}

GPUEXEC_EXPORT hsa_status_t hsa_memory_register(void *pointer, size_t size) {
  GPUEXEC_RUNTIME(runtime);
  if (!pointer && size)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return !size || runtime->machine.allocations.lock(pointer, size)
             ? HSA_STATUS_SUCCESS
             : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

GPUEXEC_EXPORT hsa_status_t hsa_memory_deregister(void *pointer, size_t) {
  GPUEXEC_RUNTIME(runtime);
  if (pointer)
    runtime->machine.allocations.unlock(pointer);
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_memory_assign_agent(void *pointer,
                                                    hsa_agent_t agent,
                                                    hsa_access_permission_t) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->agent(agent), AGENT);
  return pointer ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
