//===-- libc-shim/threads/process_shared.h - Shared by no processes -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_THREADS_PROCESS_SHARED_H
#define GPUEXEC_LIBC_THREADS_PROCESS_SHARED_H

#include <errno.h>
#include <pthread.h>

/// pthread_NAME_setpshared() and pthread_NAME_getpshared(): a GPU program is
/// one process, whose objects others cannot share.
#define PROCESS_SHARED(name)                                                   \
  int pthread_##name##_setpshared(pthread_##name##_t *attributes,              \
                                  int shared) {                                \
    (void)attributes;                                                          \
    return shared ? ENOTSUP : 0;                                               \
  }                                                                            \
  int pthread_##name##_getpshared(                                             \
      const pthread_##name##_t *restrict attributes, int *restrict shared) {   \
    (void)attributes;                                                          \
    *shared = PTHREAD_PROCESS_PRIVATE;                                         \
    return 0;                                                                  \
  }

#endif
