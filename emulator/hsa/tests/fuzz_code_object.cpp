//===-- emulator/hsa/tests/fuzz_code_object.cpp - Any bytes to load -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever the bytes, loading them ends in a loaded code object, whose symbols
// lie in memory of its own, or in a status.
//===----------------------------------------------------------------------===//
#include "emulator/hsa/executable.h"
#include "emulator/hsa/runtime.h"

#include <hsa/hsa_ext_amd.h>

#include <cstdlib>

using namespace gpuexec::emulator;

static void require(bool condition) {
  if (!condition)
    abort();
}

static hsa_agent_t the_gpu() {
  require(hsa_init() == HSA_STATUS_SUCCESS);
  hsa_agent_t found{0};
  hsa_iterate_agents(
      [](hsa_agent_t agent, void *data) {
        hsa_device_type_t type;
        hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
        if (type == HSA_DEVICE_TYPE_GPU &&
            !static_cast<hsa_agent_t *>(data)->handle)
          *static_cast<hsa_agent_t *>(data) = agent;
        return HSA_STATUS_SUCCESS;
      },
      &found);
  require(found.handle != 0);
  return found;
}

static hsa_status_t look_at(hsa_executable_t, hsa_agent_t,
                            hsa_executable_symbol_t symbol, void *) {
  uint32_t length = 0;
  hsa_symbol_kind_t kind{};
  hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH,
                                 &length);
  std::string name(length, 0);
  hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME,
                                 name.data());
  hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE,
                                 &kind);
  uint64_t address = 0;
  uint32_t size = 0;
  if (kind == HSA_SYMBOL_KIND_VARIABLE) {
    hsa_executable_symbol_get_info(
        symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &address);
    hsa_executable_symbol_get_info(
        symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &size);
    if (size) // it can be read
      (void)*reinterpret_cast<volatile const char *>(address + size - 1);
  } else {
    hsa_executable_symbol_get_info(
        symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &address);
    for (int i = 0; i < 64; ++i)
      (void)reinterpret_cast<volatile const char *>(address)[i];
  }
  return HSA_STATUS_SUCCESS;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const hsa_agent_t gpu = the_gpu();
  hsa_code_object_reader_t reader;
  if (hsa_code_object_reader_create_from_memory(data, size, &reader) !=
      HSA_STATUS_SUCCESS)
    return 0;
  hsa_executable_t executable;
  require(hsa_executable_create_alt(
              HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
              nullptr, &executable) == HSA_STATUS_SUCCESS);
  if (hsa_executable_load_agent_code_object(executable, gpu, reader, nullptr,
                                            nullptr) == HSA_STATUS_SUCCESS) {
    require(hsa_executable_freeze(executable, nullptr) == HSA_STATUS_SUCCESS);
    hsa_executable_iterate_agent_symbols(executable, gpu, look_at, nullptr);
  }
  require(hsa_executable_destroy(executable) == HSA_STATUS_SUCCESS);
  hsa_code_object_reader_destroy(reader);
  return 0;
}
