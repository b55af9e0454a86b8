//===-- emulator/hsa/api_symbol.cpp - Symbols of executables --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/api.h"
#include "emulator/hsa/executable.h"

using namespace gpuexec::emulator;

GPUEXEC_EXPORT hsa_status_t hsa_executable_get_symbol_by_name(
    hsa_executable_t handle, const char *name, const hsa_agent_t *agent_handle,
    hsa_executable_symbol_t *symbol) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(executable, runtime->executable(handle), EXECUTABLE);
  GPUEXEC_REQUIRE(name && symbol, ARGUMENT);
  const Agent *agent = agent_handle ? runtime->agent(*agent_handle) : nullptr;
  if (agent_handle && !agent)
    return HSA_STATUS_ERROR_INVALID_AGENT;
  const ExecutableSymbol *found = executable->find(name, agent);
  GPUEXEC_REQUIRE(found, SYMBOL_NAME);
  *symbol = found->handle();
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_get_symbol(
    hsa_executable_t executable, const char *module, const char *name,
    hsa_agent_t agent, int32_t, hsa_executable_symbol_t *symbol) {
  return hsa_executable_get_symbol_by_name(
      executable, name, agent.handle ? &agent : nullptr, symbol);
}

/// Visits each symbol, until a visit returns another status than success;
/// returns that status.
template <typename Visit>
static hsa_status_t for_each_symbol(const Executable &executable, Visit visit) {
  for (const ExecutableSymbol *symbol : executable.symbols())
    if (hsa_status_t status = visit(*symbol); status != HSA_STATUS_SUCCESS)
      return status;
  return HSA_STATUS_SUCCESS;
}

using SymbolCallback = hsa_status_t (*)(hsa_executable_t,
                                        hsa_executable_symbol_t, void *);

GPUEXEC_EXPORT hsa_status_t hsa_executable_iterate_symbols(
    hsa_executable_t handle, SymbolCallback callback, void *data) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(executable, runtime->executable(handle), EXECUTABLE);
  GPUEXEC_REQUIRE(callback, ARGUMENT);
  return for_each_symbol(*executable, [&](const ExecutableSymbol &symbol) {
    return callback(handle, symbol.handle(), data);
  });
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_iterate_agent_symbols(
    hsa_executable_t handle, hsa_agent_t agent_handle,
    hsa_status_t (*callback)(hsa_executable_t, hsa_agent_t,
                             hsa_executable_symbol_t, void *),
    void *data) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(executable, runtime->executable(handle), EXECUTABLE);
  GPUEXEC_FIND(agent, runtime->agent(agent_handle), AGENT);
  GPUEXEC_REQUIRE(callback, ARGUMENT);
  return for_each_symbol(*executable, [&](const ExecutableSymbol &symbol) {
    return symbol.agent == agent
               ? callback(handle, agent_handle, symbol.handle(), data)
               : HSA_STATUS_SUCCESS;
  });
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_iterate_program_symbols(
    hsa_executable_t handle, SymbolCallback callback, void *data) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(executable, runtime->executable(handle), EXECUTABLE);
  GPUEXEC_REQUIRE(callback, ARGUMENT);
  return for_each_symbol(*executable, [&](const ExecutableSymbol &symbol) {
    return symbol.agent ? HSA_STATUS_SUCCESS
                        : callback(handle, symbol.handle(), data);
  });
}

static hsa_status_t variable_info(Runtime &runtime,
                                  const ExecutableSymbol &symbol,
                                  hsa_executable_symbol_info_t attribute,
                                  void *value) {
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS:
    // A client that asks for the address of a constant may want a kernel to
    // write to it, as HIP does. Hardware does not protect constants.
    if (symbol.is_const && symbol.object)
      runtime.machine.memory.allow_writes(symbol.address);
    return answer(value, symbol.address);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION:
    return answer(value, symbol.agent ? HSA_VARIABLE_ALLOCATION_AGENT
                                      : HSA_VARIABLE_ALLOCATION_PROGRAM);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT:
    return answer(value, symbol.is_const ? HSA_VARIABLE_SEGMENT_READONLY
                                         : HSA_VARIABLE_SEGMENT_GLOBAL);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT:
    return answer(value, uint32_t(symbol.address & -symbol.address));
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE:
    return answer(value, uint32_t(symbol.size));
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST:
    return answer(value, symbol.is_const);
  default:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

static hsa_status_t kernel_info(const ExecutableSymbol &symbol,
                                hsa_executable_symbol_info_t attribute,
                                void *value) {
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
    return answer(value, symbol.address);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
    return answer(value, symbol.kernarg_size);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
    return answer(value, symbol.kernarg_alignment);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
    return answer(value, symbol.group_size);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
    return answer(value, symbol.private_size);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK:
    return answer(value, symbol.dynamic_stack);
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION:
    return answer(value, uint32_t(0));
  default:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

GPUEXEC_EXPORT hsa_status_t hsa_executable_symbol_get_info(
    hsa_executable_symbol_t handle, hsa_executable_symbol_info_t attribute,
    void *value) {
  GPUEXEC_RUNTIME(runtime);
  auto *symbol = reinterpret_cast<const ExecutableSymbol *>(handle.handle);
  bool known = false;
  for (const auto &executable : runtime->executables())
    known |= executable->owns(symbol);
  GPUEXEC_REQUIRE(known, EXECUTABLE_SYMBOL);
  GPUEXEC_REQUIRE(value, ARGUMENT);
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
    return answer(value, symbol->kind());
  case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
    return answer(value, uint32_t(symbol->name.size()));
  case HSA_EXECUTABLE_SYMBOL_INFO_NAME:
    memcpy(value, symbol->name.data(),
           symbol->name.size()); // without a zero, as HSA wants it
    return HSA_STATUS_SUCCESS;
  case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH:
    return answer(value, uint32_t(0));
  case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME:
    return HSA_STATUS_SUCCESS;
  case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
    return answer(value,
                  symbol->agent ? symbol->agent->handle() : hsa_agent_t{0});
  case HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
    return answer(value, symbol->is_global ? HSA_SYMBOL_LINKAGE_PROGRAM
                                           : HSA_SYMBOL_LINKAGE_MODULE);
  case HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION:
    return answer(value, true);
  default:
    return symbol->is_kernel
               ? kernel_info(*symbol, attribute, value)
               : variable_info(*runtime, *symbol, attribute, value);
  }
}
