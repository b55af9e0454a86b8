//===-- emulator/hsa/api_signal.cpp - hsa_signal_* ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All operations are sequentially consistent: the memory order in a function's
// name is the least that it must have.
//===----------------------------------------------------------------------===//
#include "emulator/hsa/api.h"

using namespace gpuexec::emulator;

GPUEXEC_EXPORT hsa_status_t hsa_signal_create(hsa_signal_value_t initial,
                                              uint32_t consumers,
                                              const hsa_agent_t *agents,
                                              hsa_signal_t *signal) {
  GPUEXEC_RUNTIME(runtime);
  if (!signal || (consumers && !agents))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (uint32_t i = 0; i < consumers; ++i)
    for (uint32_t j = 0; j < i; ++j)
      if (agents[i].handle == agents[j].handle)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *signal = runtime->signals.create(initial, Runtime::options().signal_writers);
  return signal->handle ? HSA_STATUS_SUCCESS
                        : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_signal_create(hsa_signal_value_t initial,
                                                  uint32_t consumers,
                                                  const hsa_agent_t *agents,
                                                  uint64_t attributes,
                                                  hsa_signal_t *signal) {
  if (attributes & HSA_AMD_SIGNAL_IPC)
    return not_emulated("hsa_amd_signal_create with HSA_AMD_SIGNAL_IPC");
  return hsa_signal_create(initial, consumers, agents, signal);
}

GPUEXEC_EXPORT hsa_status_t hsa_signal_destroy(hsa_signal_t signal) {
  GPUEXEC_RUNTIME(runtime);
  if (!signal.handle)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return runtime->signals.destroy(signal) ? HSA_STATUS_SUCCESS
                                          : HSA_STATUS_ERROR_INVALID_SIGNAL;
}

// The operations return no status. On a handle that is no signal's they do
// nothing and return 0.
static hsa_signal_value_t load(hsa_signal_t signal) {
  Runtime *runtime = Runtime::get();
  return runtime && runtime->signals.state(signal)
             ? Signals::value(signal).load()
             : 0;
}

template <typename Change>
static hsa_signal_value_t change(hsa_signal_t signal, Change make,
                                 bool ring = true) {
  Runtime *runtime = Runtime::get();
  Signals::State *state = runtime ? runtime->signals.state(signal) : nullptr;
  if (!state)
    return 0;
  hsa_signal_value_t before = make(Signals::value(signal));
  if (ring)
    runtime->signals.changed(signal, *state);
  return before;
}

static hsa_signal_value_t wait(hsa_signal_t signal,
                               hsa_signal_condition_t condition,
                               hsa_signal_value_t value, uint64_t timeout,
                               hsa_wait_state_t hint) {
  Runtime *runtime = Runtime::get();
  if (!runtime || !runtime->signals.state(signal))
    return 0;
  hsa_signal_value_t seen = 0;
  runtime->signals.wait(1, &signal, &condition, &value, timeout, hint, &seen);
  return seen;
}

#define LOAD(ORDER)                                                            \
  GPUEXEC_EXPORT hsa_signal_value_t hsa_signal_load_##ORDER(                   \
      hsa_signal_t signal) {                                                   \
    return load(signal);                                                       \
  }
#define STORE(ORDER)                                                           \
  GPUEXEC_EXPORT void hsa_signal_store_##ORDER(hsa_signal_t signal,            \
                                               hsa_signal_value_t value) {     \
    change(signal,                                                             \
           [&](std::atomic<int64_t> &word) { return word.exchange(value); });  \
  }
#define SILENT_STORE(ORDER)                                                    \
  GPUEXEC_EXPORT void hsa_signal_silent_store_##ORDER(                         \
      hsa_signal_t signal, hsa_signal_value_t value) {                         \
    change(                                                                    \
        signal,                                                                \
        [&](std::atomic<int64_t> &word) { return word.exchange(value); },      \
        false);                                                                \
  }
#define EXCHANGE(ORDER)                                                        \
  GPUEXEC_EXPORT hsa_signal_value_t hsa_signal_exchange_##ORDER(               \
      hsa_signal_t signal, hsa_signal_value_t value) {                         \
    return change(signal, [&](std::atomic<int64_t> &word) {                    \
      return word.exchange(value);                                             \
    });                                                                        \
  }
#define CAS(ORDER)                                                             \
  GPUEXEC_EXPORT hsa_signal_value_t hsa_signal_cas_##ORDER(                    \
      hsa_signal_t signal, hsa_signal_value_t expected,                        \
      hsa_signal_value_t value) {                                              \
    return change(signal, [&](std::atomic<int64_t> &word) {                    \
      int64_t before = expected;                                               \
      word.compare_exchange_strong(before, value);                             \
      return before;                                                           \
    });                                                                        \
  }
#define ARITHMETIC(NAME, METHOD, ORDER)                                        \
  GPUEXEC_EXPORT void hsa_signal_##NAME##_##ORDER(hsa_signal_t signal,         \
                                                  hsa_signal_value_t value) {  \
    change(signal,                                                             \
           [&](std::atomic<int64_t> &word) { return word.METHOD(value); });    \
  }
#define ALL_ORDERS(MACRO, ...)                                                 \
  MACRO(__VA_ARGS__ __VA_OPT__(, ) scacq_screl)                                \
  MACRO(__VA_ARGS__ __VA_OPT__(, ) acq_rel)                                    \
  MACRO(__VA_ARGS__ __VA_OPT__(, ) scacquire)                                  \
  MACRO(__VA_ARGS__ __VA_OPT__(, ) acquire)                                    \
  MACRO(__VA_ARGS__ __VA_OPT__(, ) relaxed)                                    \
  MACRO(__VA_ARGS__ __VA_OPT__(, ) screlease)                                  \
  MACRO(__VA_ARGS__ __VA_OPT__(, ) release)

LOAD(scacquire)
LOAD(acquire)
LOAD(relaxed)
STORE(relaxed)
STORE(screlease)
STORE(release)
SILENT_STORE(relaxed)
SILENT_STORE(screlease)
ALL_ORDERS(EXCHANGE)
ALL_ORDERS(CAS)
ALL_ORDERS(ARITHMETIC, add, fetch_add)
ALL_ORDERS(ARITHMETIC, subtract, fetch_sub)
ALL_ORDERS(ARITHMETIC, and, fetch_and)
ALL_ORDERS(ARITHMETIC, or, fetch_or)
ALL_ORDERS(ARITHMETIC, xor, fetch_xor)

#define WAIT(ORDER)                                                            \
  GPUEXEC_EXPORT hsa_signal_value_t hsa_signal_wait_##ORDER(                   \
      hsa_signal_t signal, hsa_signal_condition_t condition,                   \
      hsa_signal_value_t value, uint64_t timeout, hsa_wait_state_t hint) {     \
    return wait(signal, condition, value, timeout, hint);                      \
  }
WAIT(scacquire)
WAIT(acquire)
WAIT(relaxed)

GPUEXEC_EXPORT uint32_t hsa_amd_signal_wait_any(
    uint32_t count, hsa_signal_t *signals, hsa_signal_condition_t *conditions,
    hsa_signal_value_t *values, uint64_t timeout, hsa_wait_state_t hint,
    hsa_signal_value_t *satisfying) {
  Runtime *runtime = Runtime::get();
  if (!runtime || !count)
    return UINT32_MAX;
  for (uint32_t i = 0; i < count; ++i)
    if (!runtime->signals.state(signals[i]))
      return UINT32_MAX;
  hsa_signal_value_t seen = 0;
  int index = runtime->signals.wait(count, signals, conditions, values, timeout,
                                    hint, &seen);
  if (index >= 0 && satisfying)
    *satisfying = seen;
  return uint32_t(index);
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_signal_async_handler(
    hsa_signal_t signal, hsa_signal_condition_t condition,
    hsa_signal_value_t value, hsa_amd_signal_handler handler, void *argument) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(handler, ARGUMENT);
  if (!runtime->signals.state(signal))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  bool watched = runtime->events.watch(
      runtime->signals, signal,
      [condition, value](hsa_signal_value_t now) {
        return holds(condition, now, value);
      },
      [handler, argument](hsa_signal_value_t now) {
        ClientCall call;
        return handler(now, argument);
      });
  return watched ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_async_function(void (*callback)(void *),
                                                   void *argument) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(callback, ARGUMENT);
  bool watched = runtime->events.watch(
      runtime->signals, {0}, [](hsa_signal_value_t) { return true; },
      [callback, argument](hsa_signal_value_t) {
        ClientCall call;
        callback(argument);
        return false;
      });
  return watched ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_signal_value_pointer(
    hsa_signal_t signal, volatile hsa_signal_value_t **pointer) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(pointer, ARGUMENT);
  if (!runtime->signals.state(signal))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  *pointer = &reinterpret_cast<amd_signal_t *>(signal.handle)->value;
  return HSA_STATUS_SUCCESS;
}

static bool all_live(const Signals &signals,
                     const SignalGroups::Group &members) {
  for (hsa_signal_t member : members)
    if (!signals.state(member))
      return false;
  return true;
}

GPUEXEC_EXPORT hsa_status_t hsa_signal_group_create(uint32_t count,
                                                    const hsa_signal_t *signals,
                                                    uint32_t consumers,
                                                    const hsa_agent_t *agents,
                                                    hsa_signal_group_t *group) {
  GPUEXEC_RUNTIME(runtime);
  if (!count || !signals || !group || (consumers && !agents))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  SignalGroups::Group members(signals, signals + count);
  GPUEXEC_REQUIRE(all_live(runtime->signals, members), SIGNAL);
  *group = runtime->signal_groups.add(std::move(members));
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_signal_group_destroy(hsa_signal_group_t group) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->signal_groups.remove(group), SIGNAL_GROUP);
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_signal_group_wait_any_scacquire(
    hsa_signal_group_t handle, const hsa_signal_condition_t *conditions,
    const hsa_signal_value_t *values, hsa_wait_state_t hint,
    hsa_signal_t *signal, hsa_signal_value_t *value) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(group, runtime->signal_groups.find(handle), SIGNAL_GROUP);
  GPUEXEC_REQUIRE(conditions && values && signal && value, ARGUMENT);
  GPUEXEC_REQUIRE(all_live(runtime->signals, *group), SIGNAL);
  int index =
      runtime->signals.wait(unsigned(group->size()), group->data(), conditions,
                            values, UINT64_MAX, hint, value);
  *signal = (*group)[size_t(index)];
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_signal_group_wait_any_relaxed(
    hsa_signal_group_t group, const hsa_signal_condition_t *conditions,
    const hsa_signal_value_t *values, hsa_wait_state_t hint,
    hsa_signal_t *signal, hsa_signal_value_t *value) {
  return hsa_signal_group_wait_any_scacquire(group, conditions, values, hint,
                                             signal, value);
}
