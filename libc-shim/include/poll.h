// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/poll.h - Waits for descriptors ----------*- C -*-===*/
#ifndef GPUEXEC_POLL_H
#define GPUEXEC_POLL_H

#include <sys/_sigset.h>
#include <sys/timespec.h>
#include <sys/types.h>

#ifndef _SIGSET_T_DECLARED
#define _SIGSET_T_DECLARED
typedef __sigset_t sigset_t;
#endif

typedef unsigned long nfds_t;
struct pollfd {
  int fd;
  short events;
  short revents;
};
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 0x10
#define POLLNVAL 0x20
#define POLLRDNORM 0x40
#define POLLRDBAND 0x80
#define POLLWRNORM 0x100
#define POLLWRBAND 0x200
#define POLLRDHUP 0x2000

#ifdef __cplusplus
extern "C" {
#endif
int poll(struct pollfd *, nfds_t, int);
/* No signal arrives: the set does not matter. */
int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
#if __SSP_FORTIFY_LEVEL > 0
#include <ssp/poll.h>
#endif
#ifdef __cplusplus
}
#endif

#endif
