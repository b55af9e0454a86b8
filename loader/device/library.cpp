//===-- loader/device/library.cpp - A library opened at run time ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/library.h"
#include "support/failure.h"
#include "support/trusted_path.h"
#include <dlfcn.h>
#include <sys/mman.h>

namespace gpuexec {

std::vector<std::string> system_libraries() {
  return {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"};
}

/// Whether there is memory for the thread-local data of a library, which is
/// allocated when a thread first uses it. If that malloc() fails, the C library
/// ends the process with status 127. malloc() takes 1 MiB at a time from the
/// kernel.
static bool has_memory_for_threads() {
  constexpr size_t ENOUGH = size_t(2) << 20;
  void *memory = ::mmap(nullptr, ENOUGH, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED && ::munmap(memory, ENOUGH) == 0;
}

llvm::Expected<Library> Library::open(const std::string &name) {
  if (llvm::StringRef(name).contains('/'))
    if (std::string problem = distrust(name); !problem.empty())
      return failure(Reason::failed, "{0}", problem);
  if (void *handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (has_memory_for_threads())
      return Library(handle, name);
    return failure(Reason::failed, "{0}: no memory for its threads", name);
  }
  // dlerror() begins with the name of the file that was not found.
  const char *reason = ::dlerror();
  return failure(Reason::failed, "{0}", reason ? reason : name.c_str());
}

void *Library::address_of(const char *name) const {
  return ::dlsym(handle, name);
}

} // namespace gpuexec
