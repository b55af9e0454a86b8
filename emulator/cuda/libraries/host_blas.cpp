//===-- emulator/cuda/libraries/host_blas.cpp - See host_blas.h -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/libraries/host_blas.h"
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace {

void *library() {
  static void *const opened = [] {
    void *found = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    return found ? found : dlopen("libblas.so.3", RTLD_NOW | RTLD_LOCAL);
  }();
  return opened;
}

[[noreturn]] void *end_without(const char *what, const char *name) {
  fprintf(stderr,
          "gpuexec: the host's %s has no function %s (apt-get install "
          "libopenblas0)\n",
          what, name);
  abort();
}

} // namespace

bool gpuexec::host_blas::is_there(const char *of) {
  if (library())
    return true;
  fprintf(stderr,
          "gpuexec: %s needs a BLAS of the host (apt-get install "
          "libopenblas0)\n",
          of);
  return false;
}

void *gpuexec::host_blas::find_function(const char *name) {
  void *function = library() ? dlsym(library(), name) : nullptr;
  return function ? function : end_without("BLAS", name);
}

void *gpuexec::host_blas::find_lapack(const char *name) {
  static void *const other = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
  void *function = library() ? dlsym(library(), name) : nullptr;
  if (!function && other)
    function = dlsym(other, name);
  return function ? function : end_without("LAPACK", name);
}
