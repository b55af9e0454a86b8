//===-- emulator/cuda/driver/api_link.cpp - Links -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api.h"
#include "emulator/cuda/driver/read_file.h"

using namespace gpuexec::cuda;

CUresult cuLinkCreate(unsigned count, CUjit_option *options, void **values,
                      CUlinkState *handle) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(handle && (!count || (options && values)), INVALID_VALUE);
  Driver &driver = Driver::get();
  *handle = driver.links.add<CUlinkState>(std::make_shared<Link>(
      driver.settings(), JitLog(count, options, values)));
  return CUDA_SUCCESS;
}

CUresult cuLinkAddData(CUlinkState handle, CUjitInputType kind, void *data,
                       size_t size, const char *name, unsigned, CUjit_option *,
                       void **) {
  GPUEXEC_CURRENT(context);
  auto link = Driver::get().links.find(handle);
  GPUEXEC_REQUIRE(link, INVALID_HANDLE);
  GPUEXEC_REQUIRE(data && size && size <= LARGEST_FILE, INVALID_VALUE);
  std::string bytes(size, '\0');
  GPUEXEC_REQUIRE(read_own_memory(reinterpret_cast<uint64_t>(data),
                                  bytes.data(), bytes.size()),
                  INVALID_VALUE);
  return link->add(kind, std::move(bytes), name ? name : "an input");
}

CUresult cuLinkAddFile(CUlinkState handle, CUjitInputType kind,
                       const char *path, unsigned, CUjit_option *, void **) {
  GPUEXEC_CURRENT(context);
  auto link = Driver::get().links.find(handle);
  GPUEXEC_REQUIRE(link, INVALID_HANDLE);
  GPUEXEC_REQUIRE(path, INVALID_VALUE);
  std::string bytes;
  GPUEXEC_REQUIRE(read_file(path, bytes), FILE_NOT_FOUND);
  return link->add(kind, std::move(bytes), path);
}

CUresult cuLinkComplete(CUlinkState handle, void **image, size_t *size) {
  GPUEXEC_CURRENT(context);
  auto link = Driver::get().links.find(handle);
  GPUEXEC_REQUIRE(link, INVALID_HANDLE);
  GPUEXEC_REQUIRE(image, INVALID_VALUE);
  const std::string *bytes = nullptr;
  GPUEXEC_TRY(link->complete(bytes));
  *image = const_cast<char *>(bytes->data());
  if (size)
    *size = bytes->size();
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState handle) {
  GPUEXEC_REQUIRE(Driver::get().links.take(handle), INVALID_HANDLE);
  return CUDA_SUCCESS;
}
