//===-- emulator/hsa/api_queue.cpp - hsa_queue_* --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/api.h"
#include "emulator/hsa/queue.h"

#include <cstddef>

using namespace gpuexec::emulator;

GPUEXEC_EXPORT hsa_status_t hsa_queue_create(
    hsa_agent_t handle, uint32_t size, hsa_queue_type32_t type,
    void (*callback)(hsa_status_t, hsa_queue_t *, void *), void *data,
    uint32_t private_size, uint32_t group_size, hsa_queue_t **queue) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(agent, runtime->agent(handle), AGENT);
  if (!queue || !size || (size & (size - 1)) ||
      type > HSA_QUEUE_TYPE_COOPERATIVE)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!agent->is_gpu() || size > MAX_QUEUE_SIZE)
    return HSA_STATUS_ERROR_INVALID_QUEUE_CREATION;
  auto made = Queue::create(*runtime, *agent, std::max(size, MIN_QUEUE_SIZE),
                            type, callback, data);
  if (!made)
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  *queue = made->handle();
  runtime->add_queue(std::move(made));
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_queue_destroy(hsa_queue_t *handle) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(handle, ARGUMENT);
  GPUEXEC_FIND(queue, runtime->remove_queue(handle), QUEUE);
  queue->close();
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_queue_inactivate(hsa_queue_t *handle) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(handle, ARGUMENT);
  GPUEXEC_FIND(queue, runtime->queue(handle), QUEUE);
  queue->inactivate();
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_soft_queue_create(hsa_region_t, uint32_t,
                                                  hsa_queue_type32_t, uint32_t,
                                                  hsa_signal_t,
                                                  hsa_queue_t **) {
  return not_emulated(__func__);
}

// The functions for indices return no status and check nothing: clients may
// use the queue's structure without them as well.
static std::atomic<uint64_t> &write_index(const hsa_queue_t *queue) {
  auto *shared = reinterpret_cast<const amd_queue_t *>(queue);
  return *reinterpret_cast<std::atomic<uint64_t> *>(
      const_cast<uint64_t *>(&shared->write_dispatch_id));
}

static std::atomic<uint64_t> &read_index(const hsa_queue_t *queue) {
  auto *shared = reinterpret_cast<const amd_queue_t *>(queue);
  return *reinterpret_cast<std::atomic<uint64_t> *>(
      const_cast<uint64_t *>(&shared->read_dispatch_id));
}
static_assert(offsetof(amd_queue_t, hsa_queue) == 0);

#define LOAD(ORDER)                                                            \
  GPUEXEC_EXPORT uint64_t hsa_queue_load_read_index_##ORDER(                   \
      const hsa_queue_t *queue) {                                              \
    return read_index(queue).load();                                           \
  }                                                                            \
  GPUEXEC_EXPORT uint64_t hsa_queue_load_write_index_##ORDER(                  \
      const hsa_queue_t *queue) {                                              \
    return write_index(queue).load();                                          \
  }
#define STORE(ORDER)                                                           \
  GPUEXEC_EXPORT void hsa_queue_store_read_index_##ORDER(                      \
      const hsa_queue_t *queue, uint64_t value) {                              \
    read_index(queue).store(value);                                            \
  }                                                                            \
  GPUEXEC_EXPORT void hsa_queue_store_write_index_##ORDER(                     \
      const hsa_queue_t *queue, uint64_t value) {                              \
    write_index(queue).store(value);                                           \
  }
#define MODIFY(ORDER)                                                          \
  GPUEXEC_EXPORT uint64_t hsa_queue_add_write_index_##ORDER(                   \
      const hsa_queue_t *queue, uint64_t value) {                              \
    return write_index(queue).fetch_add(value);                                \
  }                                                                            \
  GPUEXEC_EXPORT uint64_t hsa_queue_cas_write_index_##ORDER(                   \
      const hsa_queue_t *queue, uint64_t expected, uint64_t value) {           \
    write_index(queue).compare_exchange_strong(expected, value);               \
    return expected;                                                           \
  }
LOAD(scacquire)
LOAD(acquire)
LOAD(relaxed)
STORE(relaxed)
STORE(screlease)
STORE(release)
MODIFY(scacq_screl)
MODIFY(acq_rel)
MODIFY(scacquire)
MODIFY(acquire)
MODIFY(relaxed)
MODIFY(screlease)
MODIFY(release)

GPUEXEC_EXPORT hsa_status_t
hsa_amd_profiling_set_profiler_enabled(hsa_queue_t *handle, int enable) {
  GPUEXEC_RUNTIME(runtime);
  return runtime->queue(handle)
             ? HSA_STATUS_SUCCESS
             : HSA_STATUS_ERROR_INVALID_QUEUE; // times are always recorded
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_profiling_async_copy_enable(bool) {
  GPUEXEC_RUNTIME(runtime);
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t
hsa_amd_profiling_get_dispatch_time(hsa_agent_t agent, hsa_signal_t signal,
                                    hsa_amd_profiling_dispatch_time_t *time) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->agent(agent), AGENT);
  Signals::State *state = runtime->signals.state(signal);
  GPUEXEC_REQUIRE(state, SIGNAL);
  GPUEXEC_REQUIRE(time, ARGUMENT);
  *time = {state->start, state->end};
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_profiling_get_async_copy_time(
    hsa_signal_t signal, hsa_amd_profiling_async_copy_time_t *time) {
  GPUEXEC_RUNTIME(runtime);
  Signals::State *state = runtime->signals.state(signal);
  GPUEXEC_REQUIRE(state, SIGNAL);
  GPUEXEC_REQUIRE(time, ARGUMENT);
  *time = {state->start, state->end};
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_profiling_convert_tick_to_system_domain(
    hsa_agent_t agent, uint64_t tick, uint64_t *system_tick) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->agent(agent), AGENT);
  GPUEXEC_REQUIRE(system_tick, ARGUMENT);
  *system_tick = tick; // one clock for both
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t
hsa_amd_queue_set_priority(hsa_queue_t *handle, hsa_amd_queue_priority_t) {
  GPUEXEC_RUNTIME(runtime);
  return runtime->queue(handle) ? HSA_STATUS_SUCCESS
                                : HSA_STATUS_ERROR_INVALID_QUEUE; // no effect
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_queue_cu_set_mask(const hsa_queue_t *,
                                                      uint32_t,
                                                      const uint32_t *) {
  return not_emulated(__func__);
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_queue_cu_get_mask(const hsa_queue_t *handle,
                                                      uint32_t bits,
                                                      uint32_t *mask) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->queue(handle), QUEUE);
  if (!mask || !bits || bits % 32)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  memset(mask, 0xff, bits / 8);
  return HSA_STATUS_SUCCESS;
}
