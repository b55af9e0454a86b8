// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/select.h - Waits for descriptors ----*- C -*-===*/
#ifndef GPUEXEC_SYS_SELECT_H
#define GPUEXEC_SYS_SELECT_H

#include <sys/_sigset.h>
#include <sys/_timeval.h>
#include <sys/timespec.h>

#ifndef _SIGSET_T_DECLARED
#define _SIGSET_T_DECLARED
typedef __sigset_t sigset_t;
#endif
#define _SYS_TYPES_FD_SET

#define FD_SETSIZE 1024
#define NFDBITS 64
typedef unsigned long fd_mask;
typedef struct {
  fd_mask fds_bits[FD_SETSIZE / NFDBITS];
} fd_set;
#define __FD_BIT(fd) (1ul << (fd) % NFDBITS)
#define FD_SET(fd, set)                                                        \
  ((void)((set)->fds_bits[(fd) / NFDBITS] |= __FD_BIT(fd)))
#define FD_CLR(fd, set)                                                        \
  ((void)((set)->fds_bits[(fd) / NFDBITS] &= ~__FD_BIT(fd)))
#define FD_ISSET(fd, set)                                                      \
  (((set)->fds_bits[(fd) / NFDBITS] & __FD_BIT(fd)) != 0)
#define FD_ZERO(set) ((void)__builtin_memset((set), 0, sizeof(fd_set)))

#ifdef __cplusplus
extern "C" {
#endif
/* Also notes the time that is left, as Linux does. */
int select(int, fd_set *__restrict, fd_set *__restrict, fd_set *__restrict,
           struct timeval *__restrict);
/* No signal arrives: the last argument does not matter. */
int pselect(int, fd_set *__restrict, fd_set *__restrict, fd_set *__restrict,
            const struct timespec *__restrict, const sigset_t *__restrict);
#ifdef __cplusplus
}
#endif

#endif
