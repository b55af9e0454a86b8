//===-- libc-shim/posix/memory_locks.c - mlock and its like ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of a GPU is never paged out: these check their arguments as Linux does
// and change nothing.
//===----------------------------------------------------------------------===//
#include "libc-shim/posix/memory_locks.h"
#include "libc-shim/device/host_call.h"
#include <sys/mman.h>

bool __gpuexec_memory_is_locked;

/// Whether [address, address + size) may be a program's: not around the null
/// pointer, nor beyond the addresses of a processor's or a GPU's user.
static bool may_be_memory(const void *address, size_t size) {
  const uintptr_t first = 4096, end = (uintptr_t)1 << 57;
  const uintptr_t at = (uintptr_t)address;
  return !size || (at >= first && at < end && size <= end - at);
}

int mlock(const void *address, size_t size) {
  return may_be_memory(address, size) ? 0 : fail_with(ENOMEM);
}
int munlock(const void *address, size_t size) { return mlock(address, size); }

int mlockall(int flags) {
  const int known = MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT;
  if (!flags || flags & ~known || flags == MCL_ONFAULT)
    return fail_with(EINVAL);
  __gpuexec_memory_is_locked = true;
  return 0;
}
int munlockall(void) {
  __gpuexec_memory_is_locked = false;
  return 0;
}
