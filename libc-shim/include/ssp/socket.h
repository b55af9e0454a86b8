// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/ssp/socket.h - Checks of sys/socket.h ---*- C -*-===*/
#ifndef GPUEXEC_SSP_SOCKET_H
#define GPUEXEC_SSP_SOCKET_H

#include <ssp/ssp.h>
#if __SSP_FORTIFY_LEVEL > 0
__FORTIFY(ssize_t, recv, (int __fd, void *__to, size_t __size, int __flags),
          (int, void *, size_t, size_t, int),
          (__fd, __to, __size, __OBJECT_BYTES(__to), __flags))
__FORTIFY(ssize_t, recvfrom,
          (int __fd, void *__restrict __to, size_t __size, int __flags,
           struct sockaddr *__restrict __from,
           socklen_t *__restrict __from_size),
          (int, void *__restrict, size_t, size_t, int,
           struct sockaddr *__restrict, socklen_t *__restrict),
          (__fd, __to, __size, __OBJECT_BYTES(__to), __flags, __from,
           __from_size))
#endif
#endif
