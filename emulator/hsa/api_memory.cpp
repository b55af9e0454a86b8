//===-- emulator/hsa/api_memory.cpp - Pools, copies, locks ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/api.h"

#include <cstdlib>

using namespace gpuexec::emulator;

// The last of `count` agents; null when any of the handles is no agent's.
static Agent *known_agents(Runtime &runtime, const hsa_agent_t *agents,
                           uint32_t count) {
  Agent *agent = nullptr;
  for (uint32_t i = 0; i < count; ++i)
    if (!(agent = runtime.agent(agents[i])))
      return nullptr;
  return agent;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_agent_iterate_memory_pools(
    hsa_agent_t handle, hsa_status_t (*callback)(hsa_amd_memory_pool_t, void *),
    void *data) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(agent, runtime->agent(handle), AGENT);
  return each(agent->pools, callback, data,
              [](const auto &pool) { return pool->handle(); });
}

/// The status of a call that succeeds unless its arguments are wrong.
static hsa_status_t argument_status(bool ok) {
  return ok ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

enum : uint32_t {
  POOL_INFO_LOCATION = 17,
  POOL_INFO_RECOMMENDED_GRANULE = 18
}; // the installed header does not have these yet

GPUEXEC_EXPORT hsa_status_t hsa_amd_memory_pool_get_info(
    hsa_amd_memory_pool_t handle, hsa_amd_memory_pool_info_t attribute,
    void *value) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(pool, runtime->pool(handle.handle), MEMORY_POOL);
  GPUEXEC_REQUIRE(value, ARGUMENT);
  switch (uint32_t(attribute)) {
  case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
    return answer(value, pool->segment);
  case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
    return answer(value, pool->flags);
  case HSA_AMD_MEMORY_POOL_INFO_SIZE:
    return answer(value, size_t(pool->size));
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
    return answer(value, pool->allocates());
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT:
  case POOL_INFO_RECOMMENDED_GRANULE:
    return answer(value,
                  size_t(pool->allocates() ? PageAllocator::PAGE_SIZE : 0));
  case HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
    return answer(value, pool->allocates());
  case HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE:
    return answer(value, size_t(pool->allocates() ? pool->size : 0));
  case POOL_INFO_LOCATION:
    return answer(value,
                  uint32_t(pool->agent->is_gpu())); // 0: the host, 1: a GPU
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_memory_pool_allocate(
    hsa_amd_memory_pool_t handle, size_t size, uint32_t flags, void **pointer) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(pool, runtime->pool(handle.handle), MEMORY_POOL);
  GPUEXEC_REQUIRE(size && pointer, ARGUMENT);
  if (!pool->allocates())
    return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  void *made =
      runtime->machine.allocations.allocate(size, pool->kind, pool->size, pool);
  if (!made)
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  *pointer = made;
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_memory_pool_free(void *pointer) {
  GPUEXEC_RUNTIME(runtime);
  return !pointer || runtime->machine.allocations.free(pointer)
             ? HSA_STATUS_SUCCESS
             : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_agent_memory_pool_get_info(
    hsa_agent_t agent_handle, hsa_amd_memory_pool_t handle,
    hsa_amd_agent_memory_pool_info_t attribute, void *value) {
  GPUEXEC_RUNTIME(runtime);
  const Agent *agent = runtime->agent(agent_handle);
  const Pool *pool = runtime->pool(handle.handle);
  GPUEXEC_REQUIRE(agent, AGENT);
  if (!pool)
    return hsa_status_t(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  GPUEXEC_REQUIRE(value, ARGUMENT);
  bool own = pool->agent == agent;
  switch (attribute) {
  case HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS:
    if (!pool->allocates() && !own)
      return answer(value, HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED);
    return answer(value,
                  own || !pool->agent->is_gpu()
                      ? HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT
                      : HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
  case HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS:
    return answer(value, uint32_t(own ? 0 : 1));
  case HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO: {
    if (own)
      return HSA_STATUS_SUCCESS; // no hop, so no link to describe
    hsa_amd_memory_pool_link_info_t link = {};
    link.atomic_support_32bit = link.atomic_support_64bit =
        link.coherent_support = true;
    link.link_type = HSA_AMD_LINK_INFO_TYPE_PCIE;
    link.numa_distance = 20;
    return answer(value, link);
  }
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

GPUEXEC_EXPORT hsa_status_t
hsa_amd_agents_allow_access(uint32_t count, const hsa_agent_t *agents,
                            const uint32_t *flags, const void *pointer) {
  GPUEXEC_RUNTIME(runtime);
  if (!count || !agents || !pointer || flags)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!known_agents(*runtime, agents, count))
    return HSA_STATUS_ERROR_INVALID_AGENT;
  // Every agent can reach every allocation here.
  return runtime->machine.allocations.find(pointer)
             ? HSA_STATUS_SUCCESS
             : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_memory_pool_can_migrate(
    hsa_amd_memory_pool_t, hsa_amd_memory_pool_t, bool *result) {
  GPUEXEC_REQUIRE(result, ARGUMENT);
  *result = false;
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_memory_lock(void *host, size_t size,
                                                hsa_agent_t *agents, int count,
                                                void **agent_pointer) {
  GPUEXEC_RUNTIME(runtime);
  if (!host || !size || !agent_pointer || (count && !agents))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (count > 0 && !known_agents(*runtime, agents, uint32_t(count)))
    return HSA_STATUS_ERROR_INVALID_AGENT;
  *agent_pointer = host; // one address space
  return argument_status(runtime->machine.allocations.lock(host, size));
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_memory_lock_to_pool(
    void *host, size_t size, hsa_agent_t *agents, int count,
    hsa_amd_memory_pool_t pool, uint32_t flags, void **agent_pointer) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->pool(pool.handle), MEMORY_POOL);
  return hsa_amd_memory_lock(host, size, agents, count, agent_pointer);
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_memory_unlock(void *host) {
  GPUEXEC_RUNTIME(runtime);
  return argument_status(host && runtime->machine.allocations.unlock(host));
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_memory_fill(void *pointer, uint32_t value,
                                                size_t count) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(pointer, ARGUMENT);
  return argument_status(
      runtime->machine.allocations.fill(pointer, value, count));
}

GPUEXEC_EXPORT hsa_status_t hsa_memory_copy(void *to, const void *from,
                                            size_t size) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(to && from, ARGUMENT);
  return argument_status(runtime->machine.allocations.copy(to, from, size));
}

// Calls `copy` once all awaited signals are zero. It is not called while one of
// them is below zero, which the API calls an error.
static hsa_status_t copy_later(Runtime *runtime, uint32_t count,
                               const hsa_signal_t *awaited,
                               hsa_signal_t completion,
                               std::function<bool()> copy) {
  if (count && !awaited)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (completion.handle && !runtime->signals.state(completion))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  std::vector<hsa_signal_t> pending;
  for (uint32_t i = 0; i < count; ++i) {
    if (awaited[i].handle && !runtime->signals.state(awaited[i]))
      return HSA_STATUS_ERROR_INVALID_SIGNAL;
    if (awaited[i].handle && Signals::value(awaited[i]).load() != 0)
      pending.push_back(awaited[i]);
  }
  runtime->events.when_zero(
      runtime->signals, std::move(pending),
      [runtime, completion, copy = std::move(copy)] {
        uint64_t start = clock_now();
        if (copy()) {
          runtime->signals.complete(completion, start, clock_now());
          return;
        }
        // The ranges were freed while the copy waited. A failed copy makes the
        // completion signal negative.
        if (Signals::State *state = runtime->signals.state(completion)) {
          Signals::value(completion).store(-1);
          runtime->signals.changed(completion, *state);
        }
      });
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_memory_async_copy(
    void *to, hsa_agent_t to_agent, const void *from, hsa_agent_t from_agent,
    size_t size, uint32_t count, const hsa_signal_t *awaited,
    hsa_signal_t completion) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->agent(to_agent) && runtime->agent(from_agent),
                  AGENT);
  Allocations &memory = runtime->machine.allocations;
  if (!to || !from || !memory.range_ok(to, size) ||
      !memory.range_ok(from, size))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return copy_later(runtime, count, awaited, completion,
                    [=, &memory] { return memory.copy(to, from, size); });
}

// Copies on a DMA engine that the client chooses; the installed header does not
// have these functions yet. One thread makes all asynchronous copies. It
// appears as the only engine, which is always free.
static constexpr uint32_t ONLY_ENGINE = 1; // a mask

GPUEXEC_EXPORT hsa_status_t hsa_amd_memory_copy_engine_status(
    hsa_agent_t to_agent, hsa_agent_t from_agent, uint32_t *engines) {
  GPUEXEC_RUNTIME(runtime);
  const Agent *to = runtime->agent(to_agent),
              *from = runtime->agent(from_agent);
  GPUEXEC_REQUIRE(to && from && to != from, AGENT);
  GPUEXEC_REQUIRE(engines, ARGUMENT);
  *engines = ONLY_ENGINE;
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_memory_async_copy_on_engine(
    void *to, hsa_agent_t to_agent, const void *from, hsa_agent_t from_agent,
    size_t size, uint32_t count, const hsa_signal_t *awaited,
    hsa_signal_t completion, uint32_t engine, bool) {
  GPUEXEC_REQUIRE(engine == ONLY_ENGINE, ARGUMENT);
  return hsa_amd_memory_async_copy(to, to_agent, from, from_agent, size, count,
                                   awaited, completion);
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_memory_async_copy_rect(
    const hsa_pitched_ptr_t *to, const hsa_dim3_t *to_offset,
    const hsa_pitched_ptr_t *from, const hsa_dim3_t *from_offset,
    const hsa_dim3_t *range, hsa_agent_t agent, hsa_amd_copy_direction_t,
    uint32_t count, const hsa_signal_t *awaited, hsa_signal_t completion) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->agent(agent), AGENT);
  if (!to || !from || !to_offset || !from_offset || !range || !to->base ||
      !from->base)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return copy_later(
      runtime, count, awaited, completion,
      [=, to = *to, from = *from, to_offset = *to_offset,
       from_offset = *from_offset, range = *range] {
        auto row = [](const hsa_pitched_ptr_t &base, const hsa_dim3_t &offset,
                      size_t y, size_t z) {
          return static_cast<char *>(base.base) + (offset.z + z) * base.slice +
                 (offset.y + y) * base.pitch + offset.x;
        };
        for (size_t z = 0; z < range.z; ++z)
          for (size_t y = 0; y < range.y; ++y)
            if (!runtime->machine.allocations.copy(row(to, to_offset, y, z),
                                                   row(from, from_offset, y, z),
                                                   range.x))
              return false;
        return true;
      });
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_pointer_info(const void *pointer,
                                                 hsa_amd_pointer_info_t *info,
                                                 void *(*allocate)(size_t),
                                                 uint32_t *count,
                                                 hsa_agent_t **accessible) {
  GPUEXEC_RUNTIME(runtime);
  if (!pointer || !info || !info->size || (allocate && (!count || !accessible)))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  hsa_amd_pointer_info_t known = {};
  known.size = uint32_t(std::min<size_t>(info->size, sizeof(known)));
  known.type = HSA_EXT_POINTER_TYPE_UNKNOWN;
  auto allocation = runtime->machine.allocations.find(pointer);
  if (allocation) {
    const Pool *pool = runtime->pool_of(*allocation);
    known.type = pool ? HSA_EXT_POINTER_TYPE_HSA : HSA_EXT_POINTER_TYPE_LOCKED;
    known.agentBaseAddress = known.hostBaseAddress =
        reinterpret_cast<void *>(allocation->begin);
    known.sizeInBytes = allocation->size;
    known.userData = allocation->user_data;
    const Agent *owner = pool ? pool->agent : runtime->agents.front().get();
    known.agentOwner = owner->handle();
    known.global_flags =
        pool ? pool->flags
             : uint32_t(HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
  }
  memcpy(info, &known, known.size);
  if (allocate) {
    *count = allocation ? uint32_t(runtime->agents.size()) : 0;
    *accessible = nullptr;
    if (*count) {
      *accessible =
          static_cast<hsa_agent_t *>(allocate(sizeof(hsa_agent_t) * *count));
      if (!*accessible)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
      for (uint32_t i = 0; i < *count; ++i)
        (*accessible)[i] = runtime->agents[i]->handle();
    }
  }
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t
hsa_amd_pointer_info_set_userdata(const void *pointer, void *data) {
  GPUEXEC_RUNTIME(runtime);
  return argument_status(
      pointer && runtime->machine.allocations.set_user_data(pointer, data));
}
