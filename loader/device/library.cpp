//===-- loader/device/library.cpp - A library opened at run time ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/library.h"
#include "support/failure.h"
#include "support/trusted_path.h"
#include <dlfcn.h>

namespace gpuexec {

std::vector<std::string> system_libraries() {
  return {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"};
}

llvm::Expected<Library> Library::open(const std::string &name) {
  if (llvm::StringRef(name).contains('/'))
    if (std::string problem = distrust(name); !problem.empty())
      return failure(Reason::failed, "{0}", problem);
  if (void *handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
    return Library(handle, name);
  // dlerror() begins with the name of the file that was not found.
  const char *reason = ::dlerror();
  return failure(Reason::failed, "{0}", reason ? reason : name.c_str());
}

void *Library::address_of(const char *name) const {
  return ::dlsym(handle, name);
}

} // namespace gpuexec
