// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/eventfd.h - A counter as a file -----*- C -*-===*/
#ifndef GPUEXEC_SYS_EVENTFD_H
#define GPUEXEC_SYS_EVENTFD_H

#include <stdint.h>

#define EFD_SEMAPHORE 1
#define EFD_CLOEXEC 02000000
#define EFD_NONBLOCK 04000
typedef uint64_t eventfd_t;

#ifdef __cplusplus
extern "C" {
#endif
/* A descriptor of Linux's kernel, for read(), write(), poll() and epoll. */
int eventfd(unsigned, int);
/* read() and write() of the 8 bytes: 0, or -1 with errno. */
int eventfd_read(int, eventfd_t *);
int eventfd_write(int, eventfd_t);
#ifdef __cplusplus
}
#endif
#endif
