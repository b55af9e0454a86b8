//===-- libc-shim/posix/poll.c - poll, select -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host waits. select() calls poll() with the members of its sets.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/closed_pipe.h"
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/interruption.h"
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>

_Static_assert(sizeof(struct pollfd) == sizeof(rpc_poll_file), "sent as it is");

enum { MAX_FILES = 1 << 16 };
static const int64_t FOREVER = -1;

static int ask(struct pollfd *files, nfds_t count, int64_t nanoseconds) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  if (count > MAX_FILES)
    return fail_with(EINVAL);
  rpc_port port = __port_open(RPC_POLL);
  __port_send_begin(&port)->words[0] = (uint64_t)nanoseconds;
  __port_send_end(&port);
  __port_send_n(&port, files, count * sizeof *files);
  __port_recv_n(&port, files, count * sizeof *files);
  host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  if (reply.error)
    note_host_error(reply.error);
  return (int)reply.words[0];
}

static int64_t now(void) {
  struct timespec time = {0};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

/// Any handler ends the wait, with SA_RESTART, too. An interruption for the
/// sake of other threads does not, nor does it make the wait longer.
static int wait_for(struct pollfd *files, nfds_t count, int64_t nanoseconds) {
  int64_t left = nanoseconds, end = 0;
  for (;;) {
    const int result = ask(files, count, left);
    const unsigned found = look_for_interruption();
    act_on_cancel(found);
    if (result >= 0 || errno != EINTR || found & SIGNAL_HANDLED)
      return result;
    if (nanoseconds < 0)
      continue;
    if (!end)
      end = now() + nanoseconds;
    left = end > now() ? end - now() : 0;
  }
}

int poll(struct pollfd *files, nfds_t count, int milliseconds) {
  return wait_for(files, count,
                  milliseconds < 0 ? FOREVER : milliseconds * 1000000ll);
}

/// The time in ns. FOREVER for null and for more than 2^32 seconds.
static int64_t nanoseconds_of(const struct timespec *time) {
  if (!time || time->tv_sec > (int64_t)1 << 32)
    return FOREVER;
  return time->tv_sec * 1000000000ll + time->tv_nsec;
}
static _Bool is_valid(const struct timespec *time) {
  return !time || (time->tv_sec >= 0 && time->tv_nsec >= 0 &&
                   time->tv_nsec < 1000000000);
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *time,
          const sigset_t *signals) {
  if (!is_valid(time))
    return fail_with(EINVAL);
  sigset_t before;
  if (signals)
    pthread_sigmask(SIG_SETMASK, signals, &before);
  const int result = wait_for(files, count, nanoseconds_of(time));
  if (signals)
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  return result;
}

//===-- select ------------------------------------------------------------===//

static const struct {
  short asked, found;
} conditions[3] = {{POLLIN, POLLIN | POLLHUP | POLLERR},
                   {POLLOUT, POLLOUT | POLLERR},
                   {POLLPRI, POLLPRI}};

static int members(int limit, fd_set *const sets[3], struct pollfd *files) {
  int count = 0;
  for (int fd = 0; fd < limit; ++fd) {
    short events = 0;
    for (int i = 0; i < 3; ++i)
      if (sets[i] && FD_ISSET(fd, sets[i]))
        events |= conditions[i].asked;
    if (!events)
      continue;
    if (files)
      files[count] = (struct pollfd){fd, events, 0};
    ++count;
  }
  return count;
}

/// Stores the results of poll() in the sets. Returns the number of their
/// members, or -1 with errno EBADF if a descriptor is not open.
static int to_sets(const struct pollfd *files, int count,
                   fd_set *const sets[3]) {
  for (int i = 0; i < count; ++i)
    if (files[i].revents & POLLNVAL)
      return fail_with(EBADF);
  int found = 0;
  for (int set = 0; set < 3; ++set)
    if (sets[set])
      FD_ZERO(sets[set]);
  for (int i = 0; i < count; ++i)
    for (int set = 0; set < 3; ++set)
      if ((files[i].events & conditions[set].asked) &&
          (files[i].revents & conditions[set].found)) {
        FD_SET(files[i].fd, sets[set]);
        ++found;
      }
  return found;
}

static int select_for(int limit, fd_set *const sets[3], int64_t nanoseconds) {
  if (limit < 0 || limit > FD_SETSIZE)
    return fail_with(EINVAL);
  enum { FEW = 8 };
  struct pollfd few[FEW], *files = few;
  const int count = members(limit, sets, NULL);
  if (count > FEW && !(files = malloc((size_t)count * sizeof *files)))
    return fail_with(ENOMEM);
  members(limit, sets, files);
  int result = wait_for(files, (nfds_t)count, nanoseconds);
  if (result >= 0)
    result = to_sets(files, count, sets);
  if (files != few)
    free(files);
  return result;
}

int pselect(int limit, fd_set *restrict reading, fd_set *restrict writing,
            fd_set *restrict urgent, const struct timespec *restrict time,
            const sigset_t *restrict signals) {
  fd_set *const sets[3] = {reading, writing, urgent};
  if (!is_valid(time))
    return fail_with(EINVAL);
  sigset_t before;
  if (signals)
    pthread_sigmask(SIG_SETMASK, signals, &before);
  const int result = select_for(limit, sets, nanoseconds_of(time));
  if (signals)
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  return result;
}

int select(int limit, fd_set *restrict reading, fd_set *restrict writing,
           fd_set *restrict urgent, struct timeval *restrict time) {
  fd_set *const sets[3] = {reading, writing, urgent};
  if (!time)
    return select_for(limit, sets, FOREVER);
  if (time->tv_sec < 0 || time->tv_usec < 0)
    return fail_with(EINVAL);
  const struct timespec wait = {time->tv_sec + time->tv_usec / 1000000,
                                time->tv_usec % 1000000 * 1000};
  const int64_t nanoseconds = nanoseconds_of(&wait);
  const int64_t start = nanoseconds > 0 ? now() : 0;
  const int result = select_for(limit, sets, nanoseconds);
  if (nanoseconds > 0) {
    const int64_t left = start + nanoseconds - now();
    *time = left > 0
                ? (struct timeval){left / 1000000000, left % 1000000000 / 1000}
                : (struct timeval){0, 0};
  }
  return result;
}
