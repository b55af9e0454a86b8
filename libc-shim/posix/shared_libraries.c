//===-- libc-shim/posix/shared_libraries.c - dlopen fails -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See dlfcn.h and execinfo.h: a linked image has no other libraries, and no
// table of its functions.
//===----------------------------------------------------------------------===//
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdbool.h>
#include <stddef.h>

// POSIX lets all threads share the state of dlerror().
static bool failed;

static void *fail(void) {
  __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
  return NULL;
}

void *dlopen(const char *name, int flags) {
  (void)name, (void)flags;
  return fail();
}
void *dlsym(void *restrict library, const char *restrict name) {
  (void)library, (void)name;
  return fail();
}
int dlclose(void *library) {
  (void)library;
  fail();
  return -1;
}
int dladdr(const void *address, Dl_info *to) {
  (void)address, (void)to;
  return 0;
}
char *dlerror(void) {
  static char reason[] = "a GPU program is linked as a whole and cannot load "
                         "libraries";
  return __atomic_exchange_n(&failed, false, __ATOMIC_RELAXED) ? reason : NULL;
}

int backtrace(void **addresses, int size) {
  (void)addresses, (void)size;
  return 0;
}
char **backtrace_symbols(void *const *addresses, int size) {
  (void)addresses, (void)size;
  errno = ENOSYS;
  return NULL;
}
void backtrace_symbols_fd(void *const *addresses, int size, int fd) {
  (void)addresses, (void)size, (void)fd;
}
