//===-- emulator/hsa/api_executable.cpp - Executables ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/api.h"
#include "emulator/hsa/code_object.h"
#include "emulator/hsa/readers.h"

using namespace gpuexec::emulator;

GPUEXEC_EXPORT hsa_status_t hsa_executable_create_alt(
    hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding,
    const char *options, hsa_executable_t *result) {
  GPUEXEC_RUNTIME(runtime);
  if (!result || profile > HSA_PROFILE_FULL ||
      rounding > HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  auto executable = std::make_shared<Executable>(*runtime, profile, rounding);
  *result = executable->handle();
  runtime->add_executable(std::move(executable));
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_create(hsa_profile_t profile,
                                                  hsa_executable_state_t state,
                                                  const char *options,
                                                  hsa_executable_t *result) {
  hsa_status_t status = hsa_executable_create_alt(
      profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, options, result);
  if (status == HSA_STATUS_SUCCESS && state == HSA_EXECUTABLE_STATE_FROZEN)
    return Runtime::get()->executable(*result)->freeze();
  return status;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_destroy(hsa_executable_t handle) {
  GPUEXEC_RUNTIME(runtime);
  return runtime->destroy_executable(handle)
             ? HSA_STATUS_SUCCESS
             : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_load_agent_code_object(
    hsa_executable_t handle, hsa_agent_t agent_handle,
    hsa_code_object_reader_t reader, const char *options,
    hsa_loaded_code_object_t *loaded) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(executable, runtime->executable(handle), EXECUTABLE);
  const Agent *agent = runtime->agent(agent_handle);
  if (!agent || !agent->is_gpu())
    return HSA_STATUS_ERROR_INVALID_AGENT;
  auto bytes = Readers::get().find(reader.handle);
  GPUEXEC_REQUIRE(bytes, CODE_OBJECT_READER);
  LoadedCodeObject *object = nullptr;
  hsa_status_t status = executable->load(*agent, std::move(bytes), &object);
  if (status == HSA_STATUS_SUCCESS && loaded)
    *loaded = object->handle();
  return status;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_load_program_code_object(
    hsa_executable_t, hsa_code_object_reader_t, const char *,
    hsa_loaded_code_object_t *) {
  return not_emulated(__func__); // no compiler makes program code objects
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_load_code_object(
    hsa_executable_t handle, hsa_agent_t agent_handle, hsa_code_object_t object,
    const char *options) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(executable, runtime->executable(handle), EXECUTABLE);
  const Agent *agent = runtime->agent(agent_handle);
  if (!agent || !agent->is_gpu())
    return HSA_STATUS_ERROR_INVALID_AGENT;
  auto bytes = Readers::get().find(object.handle);
  return bytes ? executable->load(*agent, std::move(bytes), nullptr)
               : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_freeze(hsa_executable_t handle,
                                                  const char *options) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(executable, runtime->executable(handle), EXECUTABLE);
  return executable->freeze();
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_get_info(
    hsa_executable_t handle, hsa_executable_info_t attribute, void *value) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(executable, runtime->executable(handle), EXECUTABLE);
  GPUEXEC_REQUIRE(value, ARGUMENT);
  switch (attribute) {
  case HSA_EXECUTABLE_INFO_PROFILE:
    return answer(value, executable->profile);
  case HSA_EXECUTABLE_INFO_STATE:
    return answer(value, executable->frozen() ? HSA_EXECUTABLE_STATE_FROZEN
                                              : HSA_EXECUTABLE_STATE_UNFROZEN);
  case HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
    return answer(value, executable->rounding);
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

static hsa_status_t define(hsa_executable_t handle, const Agent *agent,
                           const char *name, void *address, bool constant) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(executable, runtime->executable(handle), EXECUTABLE);
  GPUEXEC_REQUIRE(name && address, ARGUMENT);
  return executable->define(agent, name, address, constant);
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_global_variable_define(
    hsa_executable_t executable, const char *name, void *address) {
  return define(executable, nullptr, name, address, false);
}

static hsa_status_t define_for(hsa_executable_t executable, hsa_agent_t handle,
                               const char *name, void *address, bool constant) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(agent, runtime->agent(handle), AGENT);
  return define(executable, agent, name, address, constant);
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_agent_global_variable_define(
    hsa_executable_t executable, hsa_agent_t agent, const char *name,
    void *address) {
  return define_for(executable, agent, name, address, false);
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_readonly_variable_define(
    hsa_executable_t executable, hsa_agent_t agent, const char *name,
    void *address) {
  return define_for(executable, agent, name, address, true);
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_validate(hsa_executable_t handle,
                                                    uint32_t *result) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(executable, runtime->executable(handle), EXECUTABLE);
  GPUEXEC_REQUIRE(result, ARGUMENT);
  *result = 0; // loading has checked it
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_validate_alt(hsa_executable_t handle,
                                                        const char *options,
                                                        uint32_t *result) {
  return hsa_executable_validate(handle, result);
}
