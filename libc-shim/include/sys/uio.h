// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/uio.h - readv and writev ------------*- C -*-===*/
#ifndef GPUEXEC_SYS_UIO_H
#define GPUEXEC_SYS_UIO_H

#include <sys/types.h>

struct iovec {
  void *iov_base;
  size_t iov_len;
};
#define UIO_MAXIOV 1024

#ifdef __cplusplus
extern "C" {
#endif
/* One read or write of the host each, of the parts joined. ENOMEM when there is
   no memory for that. */
ssize_t readv(int, const struct iovec *, int);
ssize_t writev(int, const struct iovec *, int);
ssize_t preadv(int, const struct iovec *, int, off_t);
ssize_t pwritev(int, const struct iovec *, int, off_t);
#ifdef __cplusplus
}
#endif

#endif
