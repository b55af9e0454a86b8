//===-- libc-shim/threads/process_shared.h - Shared by no processes -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_THREADS_PROCESS_SHARED_H
#define GPUEXEC_LIBC_THREADS_PROCESS_SHARED_H

#include <errno.h>
#include <pthread.h>

/// pthread_NAME_setpshared() and pthread_NAME_getpshared(): kept, and without
/// effect, since no memory of a GPU program is another process's, too.
#define PROCESS_SHARED(name)                                                   \
  int pthread_##name##_setpshared(pthread_##name##_t *attributes,              \
                                  int shared) {                                \
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) \
      return EINVAL;                                                           \
    attributes->__shared = (__typeof__(attributes->__shared))shared;           \
    return 0;                                                                  \
  }                                                                            \
  int pthread_##name##_getpshared(                                             \
      const pthread_##name##_t *restrict attributes, int *restrict shared) {   \
    *shared = attributes->__shared;                                            \
    return 0;                                                                  \
  }

#endif
