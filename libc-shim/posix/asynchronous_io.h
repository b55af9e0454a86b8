//===-- libc-shim/posix/asynchronous_io.h - Requests that wait ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests wait in a list, in the order in which they came, until a thread
// finds their files ready: where it looks for signals, and in calls of <aio.h>.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_ASYNCHRONOUS_IO_H
#define GPUEXEC_LIBC_ASYNCHRONOUS_IO_H

#include <aio.h>
#include <stdbool.h>
#include <stdint.h>

/// Requests of one lio_listio(LIO_NOWAIT); the last one that is done carries
/// out its event and frees it.
typedef struct {
  unsigned left;
  struct sigevent event;
} aio_group;

enum { AIO_SYNC = 16, AIO_DATA_SYNC };

/// Adds a request to those that wait. `operation`:
/// LIO_READ, LIO_WRITE, AIO_SYNC or AIO_DATA_SYNC. `group`: may be null.
/// Returns 0 or EINVAL.
int __aio_begin(struct aiocb *request, int operation, aio_group *group);

/// Works on the requests that wait, each once.
void __aio_work(void);

/// The same one by one: works on one that was not tried in this pass. False
/// when there is none.
unsigned __aio_new_pass(void);
bool __aio_work_on_one(unsigned pass);

/// As __aio_work(), after a wait of at most `milliseconds` for one of their
/// files. True if a handler of a signal has ended that.
bool __aio_wait(int milliseconds);

/// One request of the group is done. Carries out its event after the last.
void __aio_leave_group(aio_group *group);

/// Ends with ECANCELED a request that nobody has tried yet, or all such of the
/// descriptor if `request` is null. Returns AIO_CANCELED, AIO_ALLDONE, or
/// AIO_NOTCANCELED where one is in progress.
int __aio_cancel(int fd, struct aiocb *request);

#endif
