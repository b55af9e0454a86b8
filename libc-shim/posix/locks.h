//===-- libc-shim/posix/locks.h - Locks of files --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_POSIX_LOCKS_H
#define GPUEXEC_LIBC_POSIX_LOCKS_H

#include <fcntl.h>

/// fcntl()'s F_GETLK, F_SETLK and F_SETLKW.
int __lock_range(int fd, int command, struct flock *lock);

#endif // GPUEXEC_LIBC_POSIX_LOCKS_H
