//===-- emulator/hsa/api_loader.cpp - AMD's loader extension --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clients get these functions from hsa_system_get_major_extension_table: they
// are not exported.
//===----------------------------------------------------------------------===//
#include "emulator/hsa/api_loader.h"
#include "emulator/hsa/api.h"
#include "emulator/hsa/code_object.h"
#include "emulator/hsa/readers.h"

using namespace gpuexec::emulator;

// The code object that is loaded at `address`, or null.
static LoadedCodeObject *object_of(Runtime &runtime, uint64_t address,
                                   Executable **owner = nullptr) {
  for (const auto &executable : runtime.executables())
    for (const auto &object : executable->objects())
      if (address - object->image->base < object->image->size) {
        if (owner)
          *owner = executable.get();
        return object.get();
      }
  return nullptr;
}

// The address of the byte, in the code object that the client gave, from which
// the byte at the device address was loaded.
static hsa_status_t query_host_address(const void *device_address,
                                       const void **host_address) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(device_address && host_address, ARGUMENT);
  uint64_t address = reinterpret_cast<uint64_t>(device_address);
  if (LoadedCodeObject *object = object_of(*runtime, address))
    for (const auto &segment : object->image->segments)
      if (address - segment.begin < segment.file_size) {
        *host_address = object->bytes->data + segment.file_offset +
                        (address - segment.begin);
        return HSA_STATUS_SUCCESS;
      }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

static hsa_status_t
query_segment_descriptors(hsa_ven_amd_loader_segment_descriptor_t *descriptors,
                          size_t *count) {
  GPUEXEC_RUNTIME(runtime);
  if (!count || (!descriptors && *count) || (descriptors && !*count))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  std::vector<hsa_ven_amd_loader_segment_descriptor_t> all;
  for (const auto &executable : runtime->executables())
    for (const auto &object : executable->objects())
      for (const auto &segment : object->image->segments)
        all.push_back({object->agent.handle(), executable->handle(),
                       object->bytes->storage, object->bytes->data,
                       object->bytes->size, segment.file_offset,
                       reinterpret_cast<const void *>(segment.begin),
                       segment.size});
  if (!descriptors) {
    *count = all.size();
    return HSA_STATUS_SUCCESS;
  }
  if (*count != all.size())
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  std::copy(all.begin(), all.end(), descriptors);
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t query_executable(const void *device_address,
                                     hsa_executable_t *executable) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(device_address && executable, ARGUMENT);
  Executable *owner = nullptr;
  if (!object_of(*runtime, reinterpret_cast<uint64_t>(device_address), &owner))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *executable = owner->handle();
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t iterate_loaded_code_objects(
    hsa_executable_t handle,
    hsa_status_t (*callback)(hsa_executable_t, hsa_loaded_code_object_t,
                             void *),
    void *data) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_FIND(executable, runtime->executable(handle), EXECUTABLE);
  GPUEXEC_REQUIRE(callback, ARGUMENT);
  for (const auto &object : executable->objects())
    if (hsa_status_t status = callback(handle, object->handle(), data);
        status != HSA_STATUS_SUCCESS)
      return status;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t loaded_code_object_get_info(
    hsa_loaded_code_object_t handle,
    hsa_ven_amd_loader_loaded_code_object_info_t attribute, void *value) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(value, ARGUMENT);
  for (const auto &executable : runtime->executables())
    for (const auto &object : executable->objects()) {
      if (object->handle().handle != handle.handle)
        continue;
      bool in_memory = object->bytes->storage ==
                       HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY;
      switch (attribute) {
      case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE:
        return answer(value, executable->handle());
      case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND:
        return answer(
            value, uint32_t(HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT));
      case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT:
        return answer(value, object->agent.handle());
      case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE:
        return answer(value, uint32_t(object->bytes->storage));
      case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE:
        return in_memory
                   ? answer(value,
                            reinterpret_cast<uint64_t>(object->bytes->data))
                   : HSA_STATUS_ERROR_INVALID_ARGUMENT;
      case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE:
        return in_memory ? answer(value, uint64_t(object->bytes->size))
                         : HSA_STATUS_ERROR_INVALID_ARGUMENT;
      case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE:
        return HSA_STATUS_ERROR_INVALID_ARGUMENT; // the file is not kept open
      case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA:
        return answer(value, int64_t(object->image->delta));
      case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE:
        return answer(value, object->image->base);
      case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE:
        return answer(value, object->image->size);
      case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH:
        return answer(value, uint32_t(object->uri().size()));
      case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI: {
        std::string uri = object->uri();
        memcpy(value, uri.data(), uri.size());
        return HSA_STATUS_SUCCESS;
      }
      }
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

static hsa_status_t reader_from_file_part(hsa_file_t file, size_t offset,
                                          size_t size,
                                          hsa_code_object_reader_t *reader) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(reader && size, ARGUMENT);
  return Readers::get().read_file(file, offset, size, reader);
}

static hsa_status_t
iterate_executables(hsa_status_t (*callback)(hsa_executable_t, void *),
                    void *data) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(callback, ARGUMENT);
  for (const auto &executable : runtime->executables())
    if (hsa_status_t status = callback(executable->handle(), data);
        status != HSA_STATUS_SUCCESS)
      return status;
  return HSA_STATUS_SUCCESS;
}

void gpuexec::emulator::fill_loader_table(void *table, size_t size) {
  hsa_ven_amd_loader_1_03_pfn_t all = {query_host_address,
                                       query_segment_descriptors,
                                       query_executable,
                                       iterate_loaded_code_objects,
                                       loaded_code_object_get_info,
                                       reader_from_file_part,
                                       iterate_executables};
  memcpy(table, &all, std::min(size, sizeof(all)));
}
