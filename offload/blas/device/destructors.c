//===-- offload/blas/device/destructors.c - See destructors.h -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/device/destructors.h"
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static _Thread_local int drops __attribute__((tls_model("initial-exec")));

int drop_destructors(int is) {
  const int was = drops;
  drops = is;
  return was;
}

typedef int exit_function(void (*)(void *), void *, void *);

/// Is `library`, the handle that a library has for itself, one of NVIDIA's?
static int is_of_device(const void *library) {
  Dl_info info;
  if (!library || !dladdr(library, &info) || !info.dli_fname)
    return 0;
  const char *slash = strrchr(info.dli_fname, '/');
  const char *name = slash ? slash + 1 : info.dli_fname;
  return !strncmp(name, "libcu", 5) || !strncmp(name, "libnv", 5);
}

/// The C++ ABI's (Itanium C++ ABI 3.3.6.3), before the C library's.
__attribute__((visibility("default"))) int
__cxa_atexit(void (*function)(void *), void *argument, void *library) {
  static exit_function *next;
  if (drops && is_of_device(library))
    return 0;
  exit_function *now = __atomic_load_n(&next, __ATOMIC_ACQUIRE);
  if (!now) {
    *(void **)&now = dlsym(RTLD_NEXT, "__cxa_atexit");
    __atomic_store_n(&next, now, __ATOMIC_RELEASE);
  }
  return now ? now(function, argument, library) : -1;
}
