// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/aio.h - Requests to read and write ------*- C -*-===*
 * A thread works on the requests whose files are ready where it looks for
 * signals: where it waits, and when a POSIX call of the host has returned. Those
 * of regular files are always ready.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_AIO_H
#define GPUEXEC_AIO_H

#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <time.h>

struct aiocb {
  int aio_fildes;
  int aio_lio_opcode;
  int aio_reqprio;
  volatile void *aio_buf;
  size_t aio_nbytes;
  struct sigevent aio_sigevent;
  off_t aio_offset;
  /* The library's. */
  struct aiocb *__next;
  void *__list;
  int __operation, __error;
  unsigned __pass;
  _Bool __busy;
  ssize_t __result;
  size_t __done;
};

#define AIO_CANCELED 0
#define AIO_NOTCANCELED 1
#define AIO_ALLDONE 2
#define LIO_READ 0
#define LIO_WRITE 1
#define LIO_NOP 2
#define LIO_WAIT 0
#define LIO_NOWAIT 1

#ifdef __cplusplus
extern "C" {
#endif
/* Begin a request. -1 with EINVAL for a priority below 0 or above 20; other
   errors are those of the request: EBADF, EINVAL for an offset below 0. */
int aio_read(struct aiocb *);
int aio_write(struct aiocb *);
/* As fsync() or, with O_DSYNC, fdatasync(), once the descriptor's writes are
   done. EINVAL for other operations, EBADF if it cannot be written to. */
int aio_fsync(int, struct aiocb *);
/* EINPROGRESS, 0, or the errno of the request. */
int aio_error(const struct aiocb *);
/* What read() or write() would have returned. */
ssize_t aio_return(struct aiocb *);
/* Requests that wait for others of their file end with ECANCELED. The one that
   is next in line is in progress: AIO_NOTCANCELED. */
int aio_cancel(int, struct aiocb *);
/* Waits until one of the requests is done. EAGAIN when the time is over, EINTR
   when a handler of a signal has run. */
int aio_suspend(const struct aiocb *const[], int, const struct timespec *);
/* EIO when a request failed, EINVAL for an unknown mode. */
int lio_listio(int, struct aiocb *__restrict const *__restrict, int,
               struct sigevent *__restrict);
#ifdef __cplusplus
}
#endif
#endif
