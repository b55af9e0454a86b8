//===-- emulator/cuda/host/library.cpp - See library.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/host/library.h"
#include "support/descriptor.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace gpuexec::cuda::host {

std::shared_ptr<Library> Library::open(const std::string &bytes,
                                       std::string &problem) {
  const UniqueFd file(::memfd_create("kernels.so", MFD_CLOEXEC));
  if (!file || write_all(file.get(), bytes) != 0) {
    problem = "no memory for the code";
    return nullptr;
  }
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  std::shared_ptr<Library> library(new Library);
  library->handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *table =
      library->handle ? ::dlsym(library->handle, ptx::host::TABLE) : nullptr;
  if (!table) {
    const char *reason = ::dlerror();
    problem = reason ? reason : "there is no table";
    return nullptr;
  }
  library->content = static_cast<const Table *>(table);
  if (library->content->abi_version != ptx::host::ABI_VERSION) {
    problem = "it was made for another version";
    return nullptr;
  }
  library->variables.resize(library->content->variable_count);
  return library;
}

Library::~Library() {
  if (handle)
    ::dlclose(handle);
}

const Kernel *Library::find(const std::string &name) const {
  for (uint32_t at = 0; at < content->kernel_count; ++at)
    if (name == content->kernels[at].name)
      return &content->kernels[at];
  return nullptr;
}

} // namespace gpuexec::cuda::host
