//===-- libc-shim/posix/asynchronous_io.c - aio_read, lio_listio ... ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See aio.h; asynchronous_list.c does the work.
//===----------------------------------------------------------------------===//
#include "libc-shim/posix/asynchronous_io.h"
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/normal_time.h"
#include "libc-shim/process/event.h"
#include <stdlib.h>

static int begin(struct aiocb *request, int operation) {
  const int error = __aio_begin(request, operation, NULL);
  return error ? fail_with(error) : 0;
}
int aio_read(struct aiocb *request) { return begin(request, LIO_READ); }
int aio_write(struct aiocb *request) { return begin(request, LIO_WRITE); }

int aio_fsync(int operation, struct aiocb *request) {
  if (operation != O_SYNC && operation != O_DSYNC)
    return fail_with(EINVAL);
  if (fcntl(request->aio_fildes, F_GETFL) < 0)
    return fail_with(EBADF);
  return begin(request, operation == O_SYNC ? AIO_SYNC : AIO_DATA_SYNC);
}

static int error_of(const struct aiocb *request) {
  return __atomic_load_n(&request->__error, __ATOMIC_ACQUIRE);
}

/// A request that is not done yet is worked on behind the answer.
int aio_error(const struct aiocb *request) {
  const int error = error_of(request);
  if (error == EINPROGRESS)
    __aio_work();
  return error;
}
ssize_t aio_return(struct aiocb *request) {
  if (request->__error == EINPROGRESS)
    __aio_work();
  return request->__result;
}

int aio_cancel(int fd, struct aiocb *request) {
  if (fcntl(fd, F_GETFL) < 0)
    return fail_with(EBADF);
  if (request && request->aio_fildes != fd)
    return fail_with(EINVAL);
  return __aio_cancel(fd, request);
}

//===-- Waiting -----------------------------------------------------------===//

enum { SLICE_MS = 50 }; // then the thread looks for signals

/// The milliseconds until `deadline` of CLOCK_MONOTONIC, at most SLICE_MS.
static int slice_until(const struct timespec *deadline) {
  struct timespec now;
  if (!deadline || clock_gettime(CLOCK_MONOTONIC, &now))
    return SLICE_MS;
  const int64_t left = (int64_t)(deadline->tv_sec - now.tv_sec) * 1000 +
                       (deadline->tv_nsec - now.tv_nsec + 999999) / 1000000;
  return left > SLICE_MS ? SLICE_MS : left < 0 ? 0 : (int)left;
}

static bool any_is_done(const struct aiocb *const requests[], int count) {
  bool any = false, waits = false;
  for (int i = 0; i < count; ++i) {
    any |= requests[i] && error_of(requests[i]) != EINPROGRESS;
    waits |= requests[i] && error_of(requests[i]) == EINPROGRESS;
  }
  return any || !waits;
}

int aio_suspend(const struct aiocb *const requests[], int count,
                const struct timespec *span) {
  struct timespec end = {0};
  if (count < 0)
    return fail_with(EINVAL);
  if (span) {
    clock_gettime(CLOCK_MONOTONIC, &end);
    end = normal_time(end.tv_sec + span->tv_sec, end.tv_nsec + span->tv_nsec);
  }
  unsigned pass = __aio_new_pass();
  while (!any_is_done(requests, count)) {
    const int slice = slice_until(span ? &end : NULL);
    if (!slice)
      return fail_with(EAGAIN);
    if (__aio_work_on_one(pass))
      continue;
    pass = __aio_new_pass();
    if (__aio_wait(slice) && !any_is_done(requests, count))
      return fail_with(EINTR);
  }
  return 0;
}

//===-- Lists -------------------------------------------------------------===//

/// Begins the requests of a list. Returns whether all could be begun.
static bool begin_all(struct aiocb *restrict const *requests, int count,
                      aio_group *group) {
  bool all = true;
  for (int i = 0; i < count; ++i) {
    struct aiocb *request = requests[i];
    if (!request || request->aio_lio_opcode == LIO_NOP)
      continue;
    if (group)
      __atomic_add_fetch(&group->left, 1, __ATOMIC_RELAXED);
    const bool known = request->aio_lio_opcode == LIO_READ ||
                       request->aio_lio_opcode == LIO_WRITE;
    const int error = known
                          ? __aio_begin(request, request->aio_lio_opcode, group)
                          : (request->__error = EINVAL);
    if (error && group)
      __aio_leave_group(group);
    all &= !error;
  }
  return all;
}

/// Waits for all requests of a list. Returns 0, EIO or EINTR.
static int wait_for_all(struct aiocb *restrict const *requests, int count) {
  bool failed = false;
  for (int i = 0; i < count; ++i) {
    if (!requests[i] || requests[i]->aio_lio_opcode == LIO_NOP)
      continue;
    while (aio_error(requests[i]) == EINPROGRESS)
      if (__aio_wait(SLICE_MS) && aio_error(requests[i]) == EINPROGRESS)
        return EINTR;
    failed |= requests[i]->__error != 0;
  }
  return failed ? EIO : 0;
}

int lio_listio(int mode, struct aiocb *restrict const *restrict requests,
               int count, struct sigevent *restrict event) {
  if (mode != LIO_WAIT && mode != LIO_NOWAIT)
    return fail_with(EINVAL);
  if (mode == LIO_WAIT) {
    begin_all(requests, count, NULL);
    const int error = wait_for_all(requests, count);
    return error ? fail_with(error) : 0;
  }
  aio_group *group = NULL;
  if (event && event->sigev_notify != SIGEV_NONE) {
    if (!__is_event(event))
      return fail_with(EINVAL);
    group = malloc(sizeof *group);
    if (!group)
      return fail_with(EAGAIN);
    *group = (aio_group){.left = 1, .event = *event};
  }
  const bool all = begin_all(requests, count, group);
  if (group)
    __aio_leave_group(group);
  return all ? 0 : fail_with(EIO);
}
