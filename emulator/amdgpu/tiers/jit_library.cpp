//===-- emulator/amdgpu/tiers/jit_library.cpp - Opens LLVM's library ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/tiers/jit_library.h"
#include "support/trusted_path.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace gpuexec::emulator::amdgpu::jit {

std::mutex &compiling_mutex() {
  static auto *mutex = new std::mutex;
  return *mutex;
}

std::string jit_library_path() {
  Dl_info here;
  if (!dladdr(reinterpret_cast<void *>(&jit_library_path), &here) ||
      !here.dli_fname)
    return "";
  std::string path = here.dli_fname;
  path.resize(path.rfind('/') + 1);
  return path + LIBRARY;
}

const Exports *open_jit_library() {
  const std::string path = jit_library_path();
  if (const std::string problem = distrust(path);
      !problem.empty() && errno != ENOENT) {
    std::fprintf(stderr, "gpuexec: warning: %s; hot code is not optimised\n",
                 problem.c_str());
    return nullptr;
  }
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return nullptr;
  static const bool once = [] {
    std::atexit([] { compiling_mutex().lock(); });
    return true;
  }();
  (void)once;
  auto *exports = static_cast<const Exports *>(dlsym(library, ENTRY));
  if (exports && exports->layout == GPUEXEC_JIT_LAYOUT)
    return exports;
  // Its code expects another layout of State.
  std::fprintf(stderr,
               "gpuexec: warning: %s: of another build than the emulator; "
               "hot code is not optimised\n",
               path.c_str());
  return nullptr;
}

} // namespace gpuexec::emulator::amdgpu::jit
