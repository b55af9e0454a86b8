//===-- emulator/cuda/driver/executable.cpp - A loaded code object --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/module.h"
#include "emulator/ptx/device/client.h"

namespace gpuexec::cuda {

Executable::~Executable() {
  if (handle.handle)
    hsa.api.hsa_executable_destroy(handle);
  if (reader.handle)
    hsa.api.hsa_code_object_reader_destroy(reader);
}

bool Executable::load(std::string &log) {
  const HsaApi &api = hsa.api;
  hsa_status_t status = api.hsa_code_object_reader_create_from_memory(
      code.object.data(), code.object.size(), &reader);
  if (status == HSA_STATUS_SUCCESS)
    status = api.hsa_executable_create_alt(
        HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, "", &handle);
  if (status == HSA_STATUS_SUCCESS)
    status = api.hsa_executable_load_agent_code_object(handle, hsa.agent,
                                                       reader, "", nullptr);
  if (status == HSA_STATUS_SUCCESS)
    status = api.hsa_executable_freeze(handle, "");
  if (status == HSA_STATUS_SUCCESS)
    return attach(log);
  const char *text = nullptr;
  api.hsa_status_string(status, &text);
  log = std::string("the code object cannot be loaded: ") + (text ? text : "");
  return false;
}

bool Executable::attach(std::string &log) {
  const DeviceRange client = variable(Services::VARIABLE);
  if (client.size)
    return services->attach(client, log);
  services.reset();
  return true;
}

bool Executable::find(const std::string &name,
                      hsa_executable_symbol_t &symbol) const {
  return hsa.api.hsa_executable_get_symbol_by_name(
             handle, name.c_str(), &hsa.agent, &symbol) == HSA_STATUS_SUCCESS;
}

uint64_t Executable::kernel(const std::string &symbol) const {
  hsa_executable_symbol_t found{};
  uint64_t object = 0;
  if (find(symbol, found))
    hsa.api.hsa_executable_symbol_get_info(
        found, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object);
  return object;
}

DeviceRange Executable::variable(const std::string &name) const {
  hsa_executable_symbol_t found{};
  hsa_symbol_kind_t kind{};
  uint32_t size = 0;
  DeviceRange range;
  const HsaApi &api = hsa.api;
  if (!find(name, found) ||
      api.hsa_executable_symbol_get_info(found, HSA_EXECUTABLE_SYMBOL_INFO_TYPE,
                                         &kind) != HSA_STATUS_SUCCESS ||
      kind != HSA_SYMBOL_KIND_VARIABLE)
    return {};
  api.hsa_executable_symbol_get_info(
      found, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &range.begin);
  api.hsa_executable_symbol_get_info(
      found, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &size);
  range.size = size;
  return range;
}

bool Executable::connect(const Executable *definitions,
                         std::string &log) const {
  const llvm::StringRef prefix = GPUEXEC_CUDA_EXTERNAL;
  for (const std::string &place : code.variables) {
    llvm::StringRef name = place;
    if (!name.consume_front(prefix))
      continue;
    const DeviceRange at = variable(place);
    const uint64_t address =
        definitions ? definitions->variable(name.str()).begin : 0;
    if (!address || at.size != sizeof(address) ||
        !hsa.copy(reinterpret_cast<void *>(at.begin), &address,
                  sizeof(address))) {
      log = "the variable '" + name.str() + "' is not defined";
      return false;
    }
  }
  return true;
}

} // namespace gpuexec::cuda
