//===-- libc-shim/posix/asynchronous_list.c - Requests that wait ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See asynchronous_io.h. The list's lock is not held while the host works for a
// request: a handler of a signal may run then, which may call these functions.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/lock.h"
#include "libc-shim/posix/asynchronous_io.h"
#include "libc-shim/process/event.h"
#include "libc-shim/process/signals.h"
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct aiocb *list;
static uint32_t list_lock;

static bool is_sync(const struct aiocb *request) {
  return request->__operation >= AIO_SYNC;
}
static bool reads(const struct aiocb *request) {
  return request->__operation == LIO_READ;
}

//===-- The work ----------------------------------------------------------===//

static ssize_t transfer(struct aiocb *request) {
  const int fd = request->aio_fildes;
  char *at = (char *)request->aio_buf + request->__done;
  const size_t size = request->aio_nbytes - request->__done;
  const off_t offset = request->aio_offset + (off_t)request->__done;
  ssize_t count = reads(request) ? pread(fd, at, size, offset)
                                 : pwrite(fd, at, size, offset);
  if (count < 0 && errno == ESPIPE)
    count = reads(request) ? read(fd, at, size) : write(fd, at, size);
  return count;
}

/// Transfers what a pipe, a socket or a terminal takes or has now. False while
/// there is more to do. *count: as transfer().
static bool transfer_part(struct aiocb *request, ssize_t *count) {
  const int flags = fcntl(request->aio_fildes, F_GETFL);
  const bool may_wait = !(flags & O_NONBLOCK);
  if (may_wait)
    fcntl(request->aio_fildes, F_SETFL, flags | O_NONBLOCK);
  *count = transfer(request);
  const int error = errno;
  if (may_wait)
    fcntl(request->aio_fildes, F_SETFL, flags);
  errno = error;
  if (*count < 0)
    return error != EAGAIN || !may_wait;
  request->__done += (size_t)*count;
  *count = (ssize_t)request->__done;
  return reads(request) || request->__done == request->aio_nbytes || !may_wait;
}

/// Does the request if its file is ready. True when it is done, with success or
/// not: then *error is what aio_error() will say.
static bool attempt(struct aiocb *request, int *error) {
  struct stat file;
  ssize_t count = -1;
  bool done = true;
  if (is_sync(request))
    count = request->__operation == AIO_SYNC ? fsync(request->aio_fildes)
                                             : fdatasync(request->aio_fildes);
  else if (request->aio_offset < 0)
    errno = EINVAL;
  else if (!fstat(request->aio_fildes, &file) && !S_ISREG(file.st_mode))
    done = transfer_part(request, &count);
  else
    count = transfer(request);
  request->__result = count;
  *error = count < 0 ? errno : 0;
  return done;
}

/// Whether a request before `request` has the same file and goes before it.
static bool has_predecessor(const struct aiocb *request) {
  for (const struct aiocb *each = list; each != request; each = each->__next)
    if (each->aio_fildes == request->aio_fildes &&
        (is_sync(request) || reads(each) == reads(request)))
      return true;
  return false;
}

void __aio_leave_group(aio_group *group) {
  if (__atomic_sub_fetch(&group->left, 1, __ATOMIC_ACQ_REL))
    return;
  __carry_out_event(&group->event, (siginfo_t){.si_code = SI_ASYNCIO});
  free(group);
}

static void tell(struct sigevent event, aio_group *group) {
  __carry_out_event(&event, (siginfo_t){.si_code = SI_ASYNCIO});
  if (group)
    __aio_leave_group(group);
}

/// Takes the next request that no thread works on and that was not tried in
/// this pass. Null: there is none.
static struct aiocb *take(unsigned pass) {
  struct aiocb *taken = NULL;
  ONE_LANE_WITH(&list_lock) {
    for (struct aiocb *each = list; each && !taken; each = each->__next)
      if (!each->__busy && each->__pass != pass && !has_predecessor(each)) {
        taken = each;
        taken->__busy = true;
        taken->__pass = pass;
      }
  }
  return taken;
}

static void give_back(struct aiocb *request, bool remove) {
  ONE_LANE_WITH(&list_lock) {
    request->__busy = false;
    struct aiocb **place = &list;
    while (remove && *place != request)
      place = &(*place)->__next;
    if (remove)
      *place = request->__next;
  }
}

unsigned __aio_new_pass(void) {
  static unsigned passes;
  return __atomic_add_fetch(&passes, 1, __ATOMIC_RELAXED) | 1u << 31;
}

bool __aio_work_on_one(unsigned pass) {
  struct aiocb *const request = take(pass);
  if (!request)
    return false;
  const int before = errno;
  const struct sigevent event = request->aio_sigevent;
  aio_group *const group = request->__list;
  int error = 0;
  const bool done = attempt(request, &error);
  give_back(request, done);
  if (done) { // from now on the request may be gone
    __atomic_store_n(&request->__error, error, __ATOMIC_RELEASE);
    tell(event, group);
  }
  errno = before;
  return true;
}

void __aio_work(void) {
  const unsigned pass = __aio_new_pass();
  while (__aio_work_on_one(pass))
    ;
}

/// __aio_work() at most once a millisecond, for threads that wait in a loop.
static void work_now_and_then(void) {
  static uint64_t last;
  struct timespec now;
  if (!__atomic_load_n(&list, __ATOMIC_RELAXED))
    return;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const uint64_t ms =
      (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
  if (__atomic_exchange_n(&last, ms, __ATOMIC_RELAXED) != ms)
    __aio_work();
}

//===-- Adding, waiting, removing -----------------------------------------===//

int __aio_begin(struct aiocb *request, int operation, aio_group *group) {
  enum { MOST_PRIORITY = 20 };
  static uint32_t registered;
  request->__operation = operation;
  request->__list = group;
  request->__next = NULL;
  request->__done = 0;
  request->__pass = 0;
  request->__busy = false;
  request->__result = -1;
  if (operation < AIO_SYNC &&
      (request->aio_reqprio < 0 || request->aio_reqprio > MOST_PRIORITY))
    return request->__error = EINVAL;
  request->__error = EINPROGRESS;
  if (!__atomic_exchange_n(&registered, 1, __ATOMIC_RELAXED)) {
    __gpuexec_look_at_requests = work_now_and_then;
    __watch_signals();
    atexit(__aio_work);
  }
  ONE_LANE_WITH(&list_lock) {
    struct aiocb **place = &list;
    while (*place)
      place = &(*place)->__next;
    *place = request;
  }
  return 0;
}

bool __aio_wait(int milliseconds) {
  enum { MOST = 64 };
  struct pollfd files[MOST];
  nfds_t count = 0;
  ONE_LANE_WITH(&list_lock) {
    for (struct aiocb *each = list; each && count < MOST; each = each->__next)
      if (!has_predecessor(each))
        files[count++] = (struct pollfd){
            .fd = each->aio_fildes, .events = reads(each) ? POLLIN : POLLOUT};
  }
  const bool interrupted =
      poll(files, count, milliseconds) < 0 && errno == EINTR;
  __aio_work();
  return interrupted;
}

int __aio_cancel(int fd, struct aiocb *wanted) {
  int result = AIO_ALLDONE;
  for (struct aiocb *found = list; found;) {
    ONE_LANE_WITH(&list_lock) {
      struct aiocb **place = &list;
      for (found = NULL; *place && !found; place = &(*place)->__next) {
        struct aiocb *each = *place;
        if (each->aio_fildes != fd || (wanted && each != wanted))
          continue;
        if (each->__busy || each->__pass) { // it is in progress
          result = AIO_NOTCANCELED;
          continue;
        }
        found = each;
        *place = each->__next;
        break;
      }
    }
    if (found) {
      const struct sigevent event = found->aio_sigevent;
      aio_group *const group = found->__list;
      if (result == AIO_ALLDONE)
        result = AIO_CANCELED;
      __atomic_store_n(&found->__error, ECANCELED, __ATOMIC_RELEASE);
      tell(event, group);
    }
  }
  return result;
}
