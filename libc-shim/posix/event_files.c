//===-- libc-shim/posix/event_files.c - epoll, eventfd, timerfd, inotify --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of the host's kernel; rpc/services/event_files.cpp serves them.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/normal_time.h"
#include "libc-shim/device/system_call.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

//===-- eventfd -----------------------------------------------------------===//

int eventfd(unsigned value, int flags) {
  return (int)__system_words(RPC_CALL_EVENTFD, value, (uint64_t)flags, 0);
}
int eventfd_read(int fd, eventfd_t *value) {
  return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}
int eventfd_write(int fd, eventfd_t value) {
  return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

//===-- epoll -------------------------------------------------------------===//

int epoll_create1(int flags) {
  return (int)__system_words(RPC_CALL_EPOLL_CREATE, (uint64_t)flags, 0, 0);
}
int epoll_create(int size) {
  return size > 0 ? epoll_create1(0) : fail_with(EINVAL);
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event) {
  system_call call = {
      .words = {(uint64_t)epoll, (uint64_t)operation, (uint64_t)fd}};
  if (event) {
    call.words[3] = event->events;
    call.words[4] = event->data.u64;
  } else if (operation != EPOLL_CTL_DEL) {
    return fail_with(EFAULT);
  }
  return (int)__host_result(__system_call(RPC_CALL_EPOLL_CONTROL, &call));
}

/// The time of CLOCK_REALTIME that is `milliseconds` from now.
static struct timespec after(int milliseconds) {
  struct timespec now = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  return normal_time(now.tv_sec + milliseconds / 1000,
                     now.tv_nsec + milliseconds % 1000 * 1000000l);
}

int epoll_wait(int epoll, struct epoll_event *events, int most,
               int milliseconds) {
  enum { MOST_AT_ONCE = 256 };
  if (most <= 0)
    return fail_with(EINVAL);
  const int wanted = most < MOST_AT_ONCE ? most : MOST_AT_ONCE;
  rpc_epoll_event *found = malloc((size_t)wanted * sizeof *found);
  if (!found)
    return fail_with(ENOMEM);
  system_call call = {.words = {(uint64_t)epoll, (uint64_t)wanted},
                      .never_restarts = true,
                      .output = found,
                      .capacity = (uint64_t)wanted * sizeof *found};
  const struct timespec end = after(milliseconds < 0 ? 0 : milliseconds);
  const int count = (int)__system_wait(RPC_CALL_EPOLL_WAIT, &call,
                                       milliseconds < 0 ? NULL : &end, NULL);
  for (uint64_t i = 0; i < call.received / sizeof *found; ++i) {
    events[i].events = found[i].events;
    events[i].data.u64 = found[i].data;
  }
  free(found);
  return count;
}

int epoll_pwait(int epoll, struct epoll_event *events, int most,
                int milliseconds, const sigset_t *mask) {
  sigset_t before;
  if (mask)
    sigprocmask(SIG_SETMASK, mask, &before);
  const int count = epoll_wait(epoll, events, most, milliseconds);
  if (mask) {
    const int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
  }
  return count;
}

//===-- timerfd -----------------------------------------------------------===//

int timerfd_create(clockid_t clock, int flags) {
  return (int)__system_words(RPC_CALL_TIMERFD_CREATE, (uint64_t)clock,
                             (uint64_t)flags, 0);
}

static int timer_call(system_call *call, struct itimerspec *to) {
  rpc_timer answer;
  call->output = &answer;
  call->capacity = sizeof answer;
  const int result =
      (int)__host_result(__system_call(RPC_CALL_TIMERFD_TIME, call));
  if (!result && to && call->received == sizeof answer)
    *to = (struct itimerspec){
        .it_interval = {(time_t)answer.interval_s, (long)answer.interval_ns},
        .it_value = {(time_t)answer.value_s, (long)answer.value_ns}};
  return result;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *wanted,
                    struct itimerspec *before) {
  const rpc_timer timer = {wanted->it_interval.tv_sec,
                           wanted->it_interval.tv_nsec, wanted->it_value.tv_sec,
                           wanted->it_value.tv_nsec};
  system_call call = {.input = &timer,
                      .input_size = sizeof timer,
                      .words = {(uint64_t)fd, (uint64_t)flags}};
  return timer_call(&call, before);
}

int timerfd_gettime(int fd, struct itimerspec *now) {
  system_call call = {.words = {(uint64_t)fd}};
  return timer_call(&call, now);
}

//===-- inotify, signalfd -------------------------------------------------===//

int inotify_init1(int flags) {
  return (int)__system_words(RPC_CALL_INOTIFY_INIT, (uint64_t)flags, 0, 0);
}
int inotify_init(void) { return inotify_init1(0); }
int inotify_add_watch(int fd, const char *path, uint32_t mask) {
  return (int)__system_name(RPC_CALL_INOTIFY_ADD, path, (uint64_t)fd, mask, 0);
}
int inotify_rm_watch(int fd, int watch) {
  return (int)__system_words(RPC_CALL_INOTIFY_REMOVE, (uint64_t)fd,
                             (uint64_t)watch, 0);
}

int signalfd(int fd, const sigset_t *mask, int flags) {
  (void)fd, (void)mask, (void)flags;
  return fail_with(ENOSYS);
}
