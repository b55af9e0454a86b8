// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/epoll.h - Waiting for many files ----*- C -*-===*
 * Linux's: the host's kernel waits for the program's descriptors.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_SYS_EPOLL_H
#define GPUEXEC_SYS_EPOLL_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#define EPOLL_CLOEXEC 02000000
enum EPOLL_EVENTS {
  EPOLLIN = 0x001,
#define EPOLLIN EPOLLIN
  EPOLLPRI = 0x002,
#define EPOLLPRI EPOLLPRI
  EPOLLOUT = 0x004,
#define EPOLLOUT EPOLLOUT
  EPOLLERR = 0x008,
#define EPOLLERR EPOLLERR
  EPOLLHUP = 0x010,
#define EPOLLHUP EPOLLHUP
  EPOLLRDNORM = 0x040,
#define EPOLLRDNORM EPOLLRDNORM
  EPOLLRDBAND = 0x080,
#define EPOLLRDBAND EPOLLRDBAND
  EPOLLWRNORM = 0x100,
#define EPOLLWRNORM EPOLLWRNORM
  EPOLLWRBAND = 0x200,
#define EPOLLWRBAND EPOLLWRBAND
  EPOLLMSG = 0x400,
#define EPOLLMSG EPOLLMSG
  EPOLLRDHUP = 0x2000,
#define EPOLLRDHUP EPOLLRDHUP
  EPOLLEXCLUSIVE = 1u << 28,
#define EPOLLEXCLUSIVE EPOLLEXCLUSIVE
  EPOLLWAKEUP = 1u << 29,
#define EPOLLWAKEUP EPOLLWAKEUP
  EPOLLONESHOT = 1u << 30,
#define EPOLLONESHOT EPOLLONESHOT
  EPOLLET = 1u << 31
#define EPOLLET EPOLLET
};
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3

typedef union epoll_data {
  void *ptr;
  int fd;
  uint32_t u32;
  uint64_t u64;
} epoll_data_t;
struct epoll_event {
  uint32_t events;
  epoll_data_t data;
};

#ifdef __cplusplus
extern "C" {
#endif
/* Descriptors; EINVAL for a size below 1, or an unknown flag. */
int epoll_create(int);
int epoll_create1(int);
/* EPERM for regular files, EEXIST, ENOENT, ELOOP as in Linux. */
int epoll_ctl(int, int, int, struct epoll_event *);
/* Wait for milliseconds, or for ever if that is below 0. EINTR when a handler
   of a signal has run. epoll_pwait() sets the thread's mask of signals while it
   waits. */
int epoll_wait(int, struct epoll_event *, int, int);
int epoll_pwait(int, struct epoll_event *, int, int, const sigset_t *);
#ifdef __cplusplus
}
#endif
#endif
