//===-- libc-shim/posix/asynchronous_list.c - Requests that wait ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See asynchronous_io.h. The list's lock is held while the host reads and
// writes for a request, but not while the program is told of its end.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/lock.h"
#include "libc-shim/posix/asynchronous_io.h"
#include "libc-shim/process/event.h"
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct aiocb *list;
static uint32_t list_lock;

static bool is_sync(const struct aiocb *request) {
  return request->__operation >= AIO_SYNC;
}
static bool reads(const struct aiocb *request) {
  return request->__operation == LIO_READ;
}

/// POLLIN or POLLOUT if the file is ready for the request; POLLNVAL for none.
static short readiness(const struct aiocb *request) {
  struct pollfd file = {.fd = request->aio_fildes,
                        .events = reads(request) ? POLLIN : POLLOUT};
  return request->aio_fildes < 0 ? POLLNVAL
         : poll(&file, 1, 0) > 0 ? file.revents
                                 : 0;
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

/// Writes to a file that may take a part now and the rest later. False while
/// there is a rest.
static bool write_part(struct aiocb *request, ssize_t *count) {
  const int flags = fcntl(request->aio_fildes, F_GETFL);
  fcntl(request->aio_fildes, F_SETFL, flags | O_NONBLOCK);
  *count = transfer(request);
  const int error = errno;
  fcntl(request->aio_fildes, F_SETFL, flags);
  errno = error;
  if (*count < 0)
    return error != EAGAIN || (flags & O_NONBLOCK);
  request->__done += (size_t)*count;
  *count = (ssize_t)request->__done;
  return request->__done == request->aio_nbytes || (flags & O_NONBLOCK);
}

/// Does the request if its file is ready. True when it is done, with success or
/// not.
static bool attempt(struct aiocb *request) {
  struct stat file;
  ssize_t count = -1;
  if (is_sync(request)) {
    count = request->__operation == AIO_SYNC ? fsync(request->aio_fildes)
                                             : fdatasync(request->aio_fildes);
  } else {
    const short found = readiness(request);
    if (!found)
      return false;
    if (found & POLLNVAL)
      errno = EBADF;
    else if (request->aio_offset < 0)
      errno = EINVAL;
    else if (reads(request) || fstat(request->aio_fildes, &file) ||
             S_ISREG(file.st_mode))
      count = transfer(request);
    else if (!write_part(request, &count))
      return false;
  }
  request->__result = count;
  request->__error = count < 0 ? errno : 0;
  return true;
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
  __carry_out_event(&group->event, SI_ASYNCIO);
  free(group);
}

static void tell(struct sigevent event, aio_group *group) {
  __carry_out_event(&event, SI_ASYNCIO);
  if (group)
    __aio_leave_group(group);
}

/// Works on the first request that can be done. False when there is none.
static bool work_on_one(void) {
  const int before = errno;
  bool found = false;
  struct sigevent event;
  aio_group *group = NULL;
  ONE_LANE_WITH(&list_lock) {
    for (struct aiocb **place = &list; *place && !found;) {
      struct aiocb *request = *place;
      if (!has_predecessor(request) && attempt(request)) {
        *place = request->__next;
        event = request->aio_sigevent;
        group = request->__list;
        found = true;
      } else {
        place = &request->__next;
      }
    }
  }
  if (found)
    tell(event, group);
  errno = before;
  return found;
}

void __aio_work(void) {
  while (work_on_one())
    ;
}

//===-- Adding, waiting, removing -----------------------------------------===//

int __aio_begin(struct aiocb *request, int operation, aio_group *group) {
  enum { MOST_PRIORITY = 20 };
  request->__operation = operation;
  request->__list = group;
  request->__next = NULL;
  request->__done = 0;
  request->__result = -1;
  if (request->aio_reqprio < 0 || request->aio_reqprio > MOST_PRIORITY)
    return request->__error = EINVAL;
  request->__error = EINPROGRESS;
  ONE_LANE_WITH(&list_lock) {
    struct aiocb **place = &list;
    while (*place)
      place = &(*place)->__next;
    *place = request;
  }
  __aio_work();
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

unsigned __aio_cancel(int fd, struct aiocb *wanted) {
  unsigned canceled = 0;
  for (bool found = true; found;) {
    struct sigevent event;
    aio_group *group = NULL;
    found = false;
    ONE_LANE_WITH(&list_lock) {
      struct aiocb **place = &list;
      while (*place &&
             ((*place)->aio_fildes != fd || (wanted && *place != wanted)))
        place = &(*place)->__next;
      if (*place) {
        (*place)->__error = ECANCELED;
        event = (*place)->aio_sigevent;
        group = (*place)->__list;
        *place = (*place)->__next;
        found = true;
      }
    }
    if (found) {
      tell(event, group);
      ++canceled;
    }
  }
  return canceled;
}
