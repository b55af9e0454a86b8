//===-- emulator/hsa/api_system.cpp - hsa_init, hsa_system_*, status texts ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/code/decode_ahead.h"
#include "emulator/hsa/api.h"

#include "emulator/hsa/api_loader.h"
#include "emulator/include/gpuexec_emulator.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

using namespace gpuexec::emulator;

hsa_status_t gpuexec::emulator::not_emulated(const char *function) {
  static std::mutex lock;
  static auto *told = new std::set<std::string>;
  std::lock_guard guard(lock);
  if (told->insert(function).second)
    fprintf(stderr, "gpuexec emulator: %s is not emulated\n", function);
  return HSA_STATUS_ERROR;
}

namespace gpuexec::emulator {
int not_emulated_status(const char *function) { return not_emulated(function); }
} // namespace gpuexec::emulator

GPUEXEC_EXPORT hsa_status_t hsa_init() { return Runtime::init(); }
GPUEXEC_EXPORT hsa_status_t hsa_shut_down() { return Runtime::shut_down(); }

GPUEXEC_EXPORT hsa_status_t hsa_status_string(hsa_status_t status,
                                              const char **text) {
  GPUEXEC_REQUIRE(text, ARGUMENT);
  switch (int(status)) {
#define STATUS(NAME, TEXT)                                                     \
  case NAME:                                                                   \
    *text = #NAME ": " TEXT;                                                   \
    return HSA_STATUS_SUCCESS;
#include "emulator/hsa/status.def"
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

// Attributes that the installed header does not have yet.
enum : uint32_t {
  SYSTEM_INFO_MWAITX_ENABLED = 0x203,
  SYSTEM_INFO_DMABUF_SUPPORTED = 0x204,
  SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED = 0x205,
  SYSTEM_INFO_XNACK_ENABLED = 0x206,
  SYSTEM_INFO_EXT_VERSION_MAJOR = 0x207,
  SYSTEM_INFO_EXT_VERSION_MINOR = 0x208,
};

GPUEXEC_EXPORT hsa_status_t hsa_system_get_info(hsa_system_info_t attribute,
                                                void *value) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(value, ARGUMENT);
  switch (uint32_t(attribute)) {
  case HSA_SYSTEM_INFO_VERSION_MAJOR:
  case HSA_SYSTEM_INFO_VERSION_MINOR:
    return answer(value, uint16_t(1));
  case HSA_SYSTEM_INFO_TIMESTAMP:
    return answer(value, clock_now());
  case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
    return answer(value, CLOCK_HZ);
  case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
    return answer(value, UINT64_MAX);
  case HSA_SYSTEM_INFO_ENDIANNESS:
    return answer(value, HSA_ENDIANNESS_LITTLE);
  case HSA_SYSTEM_INFO_MACHINE_MODEL:
    return answer(value, HSA_MACHINE_MODEL_LARGE);
  case HSA_SYSTEM_INFO_EXTENSIONS: {
    uint8_t bits[128] = {}; // one per extension
    bits[HSA_EXTENSION_AMD_LOADER / 8] |= 1 << HSA_EXTENSION_AMD_LOADER % 8;
    memcpy(value, bits, sizeof(bits));
    return HSA_STATUS_SUCCESS;
  }
  case HSA_AMD_SYSTEM_INFO_BUILD_VERSION:
    return answer(value, "gpuexec emulator");
  case HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED:
  case HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT:
  case SYSTEM_INFO_MWAITX_ENABLED:
  case SYSTEM_INFO_DMABUF_SUPPORTED:
  case SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED:
  case SYSTEM_INFO_XNACK_ENABLED:
    return answer(value, false);
  case SYSTEM_INFO_EXT_VERSION_MAJOR:
    return answer(value, uint16_t(1));
  case SYSTEM_INFO_EXT_VERSION_MINOR:
    return answer(value, uint16_t(0));
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

GPUEXEC_EXPORT hsa_status_t hsa_extension_get_name(uint16_t extension,
                                                   const char **name) {
  GPUEXEC_REQUIRE(name, ARGUMENT);
  switch (extension) {
  case HSA_EXTENSION_FINALIZER:
    *name = "HSA_EXTENSION_FINALIZER";
    return HSA_STATUS_SUCCESS;
  case HSA_EXTENSION_IMAGES:
    *name = "HSA_EXTENSION_IMAGES";
    return HSA_STATUS_SUCCESS;
  case HSA_EXTENSION_PERFORMANCE_COUNTERS:
    *name = "HSA_EXTENSION_PERFORMANCE_COUNTERS";
    return HSA_STATUS_SUCCESS;
  case HSA_EXTENSION_PROFILING_EVENTS:
    *name = "HSA_EXTENSION_PROFILING_EVENTS";
    return HSA_STATUS_SUCCESS;
  case HSA_EXTENSION_AMD_PROFILER:
    *name = "HSA_EXTENSION_AMD_PROFILER";
    return HSA_STATUS_SUCCESS;
  case HSA_EXTENSION_AMD_LOADER:
    *name = "HSA_EXTENSION_AMD_LOADER";
    return HSA_STATUS_SUCCESS;
  case HSA_EXTENSION_AMD_AQLPROFILE:
    *name = "HSA_EXTENSION_AMD_AQLPROFILE";
    return HSA_STATUS_SUCCESS;
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

GPUEXEC_EXPORT hsa_status_t hsa_system_major_extension_supported(
    uint16_t extension, uint16_t major, uint16_t *minor, bool *result) {
  GPUEXEC_RUNTIME(runtime);
  if (!minor || !result ||
      (extension > HSA_EXTENSION_STD_LAST &&
       (extension < HSA_AMD_FIRST_EXTENSION ||
        extension > HSA_AMD_LAST_EXTENSION)))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *result = extension == HSA_EXTENSION_AMD_LOADER && major == 1;
  *minor = *result ? 3 : 0;
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_system_extension_supported(uint16_t extension,
                                                           uint16_t major,
                                                           uint16_t minor,
                                                           bool *result) {
  uint16_t known = 0;
  hsa_status_t status =
      hsa_system_major_extension_supported(extension, major, &known, result);
  if (status == HSA_STATUS_SUCCESS && minor > known)
    *result = false;
  return status;
}

GPUEXEC_EXPORT hsa_status_t hsa_agent_major_extension_supported(
    uint16_t extension, hsa_agent_t agent, uint16_t major, uint16_t *minor,
    bool *result) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->agent(agent), AGENT);
  return hsa_system_major_extension_supported(extension, major, minor, result);
}

GPUEXEC_EXPORT hsa_status_t hsa_agent_extension_supported(uint16_t extension,
                                                          hsa_agent_t agent,
                                                          uint16_t major,
                                                          uint16_t minor,
                                                          bool *result) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(runtime->agent(agent), AGENT);
  return hsa_system_extension_supported(extension, major, minor, result);
}

GPUEXEC_EXPORT hsa_status_t hsa_system_get_major_extension_table(
    uint16_t extension, uint16_t major, size_t size, void *table) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(table && size, ARGUMENT);
  if (extension != HSA_EXTENSION_AMD_LOADER || major != 1)
    return HSA_STATUS_ERROR;
  fill_loader_table(table, size);
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_system_get_extension_table(uint16_t extension,
                                                           uint16_t major,
                                                           uint16_t minor,
                                                           void *table) {
  static const size_t sizes[] = {sizeof(hsa_ven_amd_loader_1_00_pfn_t),
                                 sizeof(hsa_ven_amd_loader_1_01_pfn_t),
                                 sizeof(hsa_ven_amd_loader_1_02_pfn_t),
                                 sizeof(hsa_ven_amd_loader_1_03_pfn_t)};
  if (minor > 3)
    return HSA_STATUS_ERROR;
  return hsa_system_get_major_extension_table(extension, major, sizes[minor],
                                              table);
}

GPUEXEC_EXPORT hsa_status_t hsa_amd_register_system_event_handler(
    hsa_amd_system_event_callback_t callback, void *data) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(callback, ARGUMENT);
  runtime->add_event_handler(callback, data);
  return HSA_STATUS_SUCCESS;
}

//===-- gpuexec_emulator.h ------------------------------------------------===//

GPUEXEC_EXPORT const char *gpuexec_emulator_fault_report(void) {
  Runtime *runtime = Runtime::get();
  return runtime ? runtime->machine.reports.last() : nullptr;
}

GPUEXEC_EXPORT int gpuexec_emulator_fault_signal(void) {
  Runtime *runtime = Runtime::get();
  return runtime ? runtime->machine.reports.last_signal() : 0;
}

static size_t put_text(const std::string &text, char *buffer, size_t size) {
  if (buffer && size) {
    size_t length = std::min(size - 1, text.size());
    memcpy(buffer, text.data(), length);
    buffer[length] = 0;
  }
  return text.size();
}

GPUEXEC_EXPORT void gpuexec_emulator_written(void *address, size_t size) {
  if (Runtime *runtime = Runtime::get())
    runtime->machine.allocations.written(address, size);
}

GPUEXEC_EXPORT size_t gpuexec_emulator_where(char *buffer, size_t size) {
  Runtime *runtime = Runtime::get();
  return put_text(runtime ? runtime->machine.where() : "", buffer, size);
}

GPUEXEC_EXPORT gpuexec_emulator_result
gpuexec_emulator_set_option(const char *name, const char *value) {
  if (!name || !value)
    return GPUEXEC_EMULATOR_INVALID;
  EmulatorOptions &options = Runtime::options();
  const std::string wanted = value;
  if (name == std::string("signals") && (wanted == "host" || wanted == "any"))
    options.signal_writers = wanted == "host"
                                 ? Signals::Writers::host
                                 : Signals::Writers::host_and_device;
  else if (!options.set(name, wanted))
    return GPUEXEC_EMULATOR_INVALID;
  return GPUEXEC_EMULATOR_DONE;
}

GPUEXEC_EXPORT void gpuexec_emulator_decode_ahead(const char *processor,
                                                  int wave32, const void *code,
                                                  size_t size) {
  amdgpu::decode_ahead(processor, wave32 != 0,
                       {static_cast<const uint8_t *>(code), size});
}

GPUEXEC_EXPORT gpuexec_emulator_result gpuexec_emulator_run_in_lockstep(
    uint64_t seed, int (*turn)(void *, uint64_t, int, uint64_t *),
    void *context) {
  if (Runtime *runtime = Runtime::get();
      runtime && runtime->machine.scheduler_if_any())
    return GPUEXEC_EMULATOR_TOO_LATE;
  Runtime::options().lockstep = {seed, turn, context};
  return GPUEXEC_EMULATOR_DONE;
}

GPUEXEC_EXPORT gpuexec_emulator_result
gpuexec_emulator_serve_calls(int (*serve)(void *), void *context) {
  Runtime::options().host_calls->set(serve, context);
  return GPUEXEC_EMULATOR_DONE;
}

GPUEXEC_EXPORT gpuexec_emulator_result
gpuexec_emulator_use_memory(void *memory, size_t size) {
  if (reinterpret_cast<uintptr_t>(memory) % PageAllocator::PAGE_SIZE ||
      size % PageAllocator::PAGE_SIZE)
    return GPUEXEC_EMULATOR_INVALID;
  if (Runtime::get())
    return GPUEXEC_EMULATOR_TOO_LATE;
  Runtime::options().memory = memory;
  Runtime::options().memory_size = memory ? size : 0;
  return GPUEXEC_EMULATOR_DONE;
}

GPUEXEC_EXPORT size_t gpuexec_emulator_stats(char *buffer, size_t size,
                                             int json) {
  Runtime *runtime = Runtime::get();
  return put_text(runtime ? runtime->machine.statistics.text(json) : "", buffer,
                  size);
}
