//===-- libc-shim/device/closed_pipe.h - A handler of SIGPIPE -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_CLOSED_PIPE_H
#define GPUEXEC_LIBC_CLOSED_PIPE_H

#include <errno.h>
#include <stddef.h>

/// Runs the program's handler of SIGPIPE; null while the program has none.
extern void (*__gpuexec_closed_pipe)(void);

/// Sets errno to `error`, which the host reported. EPIPE, with which only
/// writes fail, also runs the handler of SIGPIPE.
static inline void note_host_error(int error) {
  errno = error;
  void (*handle)(void) = NULL;
  if (error == EPIPE)
    handle = __scoped_atomic_load_n(&__gpuexec_closed_pipe, __ATOMIC_ACQUIRE,
                                    __MEMORY_SCOPE_DEVICE);
  if (handle)
    handle();
}

#endif
