//===-- emulator/hsa/api_isa.cpp - Instruction sets -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/api.h"

#include <array>

using namespace gpuexec::emulator;

GPUEXEC_EXPORT hsa_status_t hsa_agent_iterate_isas(
    hsa_agent_t handle, hsa_status_t (*callback)(hsa_isa_t, void *),
    void *data) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(agent, runtime->agent(handle), AGENT);
  return each(agent->isas, callback, data,
              [](const auto &isa) { return isa->handle(); });
}

GPUEXEC_EXPORT hsa_status_t hsa_isa_get_info_alt(hsa_isa_t handle,
                                                 hsa_isa_info_t attribute,
                                                 void *value) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(isa, runtime->isa(handle), ISA);
  GPUEXEC_REQUIRE(value, ARGUMENT);
  switch (uint32_t(attribute)) {
  case HSA_ISA_INFO_NAME_LENGTH:
    return answer(value,
                  uint32_t(isa->name.size() +
                           1)); // the vendor's runtime counts the final zero
  case HSA_ISA_INFO_NAME:
    memcpy(value, isa->name.c_str(), isa->name.size() + 1);
    return HSA_STATUS_SUCCESS;
  case HSA_ISA_INFO_CALL_CONVENTION_COUNT:
    return answer(value, uint32_t(1));
  case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE:
    return answer(value, isa->agent->model->processor.limits.wave_size());
  case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT:
    return answer(value, isa->agent->model->waves_per_cu());
  case HSA_ISA_INFO_MACHINE_MODELS:
    // small, large
    return answer(value, std::array<bool, 2>{false, true});
  case HSA_ISA_INFO_PROFILES:
    // base, full
    return answer(value, std::array<bool, 2>{true, false});
  case HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES:
  case HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
    // default, zero, near
    return answer(value, std::array<bool, 3>{false, false, true});
  case HSA_ISA_INFO_FAST_F16_OPERATION:
    return answer(value, true);
  case HSA_ISA_INFO_WORKGROUP_MAX_DIM:
    return answer(value, std::array<uint16_t, 3>{MAX_GROUP_SIZE, MAX_GROUP_SIZE,
                                                 MAX_GROUP_SIZE});
  case HSA_ISA_INFO_WORKGROUP_MAX_SIZE:
    return answer(value, MAX_GROUP_SIZE);
  case HSA_ISA_INFO_GRID_MAX_DIM:
    return answer(value, hsa_dim3_t{UINT32_MAX, UINT32_MAX, UINT32_MAX});
  case HSA_ISA_INFO_GRID_MAX_SIZE:
    return answer(value, uint64_t(UINT64_MAX));
  case HSA_ISA_INFO_FBARRIER_MAX_SIZE:
    return answer(value, uint32_t(32));
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

GPUEXEC_EXPORT hsa_status_t hsa_isa_get_info(hsa_isa_t isa,
                                             hsa_isa_info_t attribute,
                                             uint32_t index, void *value) {
  return index ? HSA_STATUS_ERROR_INVALID_INDEX
               : hsa_isa_get_info_alt(isa, attribute, value);
}

GPUEXEC_EXPORT hsa_status_t hsa_isa_from_name(const char *name,
                                              hsa_isa_t *result) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(name && result, ARGUMENT);
  for (const auto &agent : runtime->agents)
    for (const auto &isa : agent->isas) {
      std::string bare = isa->name.substr(0, isa->name.find(':'));
      if (isa->name == name || bare == name) {
        *result = isa->handle();
        return HSA_STATUS_SUCCESS;
      }
    }
  return HSA_STATUS_ERROR_INVALID_ISA_NAME;
}

GPUEXEC_EXPORT hsa_status_t hsa_isa_compatible(hsa_isa_t code, hsa_isa_t agent,
                                               bool *result) {
  GPUEXEC_RUNTIME(runtime);
  const Isa *first = runtime->isa(code), *second = runtime->isa(agent);
  GPUEXEC_REQUIRE(first && second, ISA);
  GPUEXEC_REQUIRE(result, ARGUMENT);
  *result = first->agent->model == second->agent->model;
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_isa_get_exception_policies(hsa_isa_t handle,
                                                           hsa_profile_t,
                                                           uint16_t *mask) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->isa(handle), ISA);
  return no_exception_policies(mask);
}

GPUEXEC_EXPORT hsa_status_t
hsa_isa_get_round_method(hsa_isa_t handle, hsa_fp_type_t, hsa_flush_mode_t,
                         hsa_round_method_t *method) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->isa(handle), ISA);
  GPUEXEC_REQUIRE(method, ARGUMENT);
  *method = HSA_ROUND_METHOD_SINGLE;
  return HSA_STATUS_SUCCESS;
}

// An ISA has one kind of wavefront, whose handle is the ISA's.
GPUEXEC_EXPORT hsa_status_t hsa_isa_iterate_wavefronts(
    hsa_isa_t handle, hsa_status_t (*callback)(hsa_wavefront_t, void *),
    void *data) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->isa(handle), ISA);
  GPUEXEC_REQUIRE(callback, ARGUMENT);
  return callback(hsa_wavefront_t{handle.handle}, data);
}

GPUEXEC_EXPORT hsa_status_t hsa_wavefront_get_info(
    hsa_wavefront_t handle, hsa_wavefront_info_t attribute, void *value) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(isa, runtime->isa({handle.handle}), WAVEFRONT);
  if (!value || attribute != HSA_WAVEFRONT_INFO_SIZE)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return answer(value, isa->agent->model->processor.limits.wave_size());
}
