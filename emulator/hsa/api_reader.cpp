//===-- emulator/hsa/api_reader.cpp - Code objects ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/api.h"
#include "emulator/hsa/readers.h"

using namespace gpuexec::emulator;

GPUEXEC_EXPORT hsa_status_t hsa_code_object_reader_create_from_file(
    hsa_file_t file, hsa_code_object_reader_t *reader) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(reader, ARGUMENT);
  return Readers::get().read_file(file, 0, 0, reader);
}

GPUEXEC_EXPORT hsa_status_t hsa_code_object_reader_create_from_memory(
    const void *data, size_t size, hsa_code_object_reader_t *reader) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(data && size && reader, ARGUMENT);
  CodeObjectBytes bytes;
  bytes.data = static_cast<const char *>(data);
  bytes.size = size;
  *reader = Readers::get().add(std::move(bytes));
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t
hsa_code_object_reader_destroy(hsa_code_object_reader_t reader) {
  GPUEXEC_RUNTIME(runtime);
  return Readers::get().remove(reader.handle)
             ? HSA_STATUS_SUCCESS
             : HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
}

// The older functions, which HSA 1.2 deprecates: a handle of a code object. It
// is a reader's handle here.

GPUEXEC_EXPORT hsa_status_t hsa_code_object_deserialize(
    void *data, size_t size, const char *options, hsa_code_object_t *object) {
  GPUEXEC_RUNTIME(runtime);
  GPUEXEC_REQUIRE(data && size && object, ARGUMENT);
  CodeObjectBytes bytes; // a copy: the client may free its own
  bytes.owned.assign(static_cast<char *>(data),
                     static_cast<char *>(data) + size);
  bytes.size = size;
  object->handle = Readers::get().add(std::move(bytes)).handle;
  return HSA_STATUS_SUCCESS;
}

GPUEXEC_EXPORT hsa_status_t hsa_code_object_destroy(hsa_code_object_t object) {
  GPUEXEC_RUNTIME(runtime);
  return Readers::get().remove(object.handle)
             ? HSA_STATUS_SUCCESS
             : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}
