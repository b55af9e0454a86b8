//===-- rpc/services/event_files.cpp - eventfd, timerfd, epoll, inotify ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of the kernel that carry events, as descriptors of the program's table.
// The host's files never block: READ, WRITE and EPOLL_WAIT wait for them where
// the program has not asked for O_NONBLOCK.
//===----------------------------------------------------------------------===//
#include "rpc/services/system_calls.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>

using namespace gpuexec::rpc;

namespace {

/// Adds a file that was opened with O_NONBLOCK; -1: errno says why it was not.
SystemResult add_file(Services &services, int fd, uint64_t flags) {
  if (fd < 0)
    return Result::failure(errno);
  auto descriptor = std::make_shared<Descriptor>(fd, true);
  descriptor->nonblocking = flags & O_NONBLOCK;
  descriptor->close_on_exec = flags & O_CLOEXEC;
  return services.add_descriptor(std::move(descriptor));
}

/// The program's descriptor and, in `fd`, the host's. Null: EBADF.
std::shared_ptr<Descriptor> find(Services &services, uint64_t number, int &fd) {
  auto descriptor = services.descriptors.find(number);
  fd = descriptor ? descriptor->file.descriptor() : -1;
  return descriptor;
}

SystemResult make_eventfd(Services &services, const SystemCall &call) {
  if (call.a > UINT32_MAX ||
      call.b & ~uint64_t(EFD_NONBLOCK | EFD_CLOEXEC | EFD_SEMAPHORE))
    return Result::failure(EINVAL);
  const int flags = int(call.b) | EFD_NONBLOCK | EFD_CLOEXEC;
  return add_file(services, eventfd(unsigned(call.a), flags), call.b);
}

//===-- timerfd -----------------------------------------------------------===//

SystemResult make_timerfd(Services &services, const SystemCall &call) {
  if (call.b & ~uint64_t(TFD_NONBLOCK | TFD_CLOEXEC))
    return Result::failure(EINVAL);
  return add_file(services,
                  timerfd_create(int(call.a), TFD_NONBLOCK | TFD_CLOEXEC),
                  call.b);
}

SystemResult timerfd_time(Services &services, const SystemCall &call) {
  int fd;
  auto descriptor = find(services, call.a, fd);
  if (!descriptor)
    return Result::failure(EBADF);
  itimerspec now = {};
  if (call.input.empty()) {
    if (timerfd_gettime(fd, &now))
      return Result::failure(errno);
  } else {
    const auto sent = call.input_as<rpc_timer>();
    if (!sent || call.b > UINT32_MAX)
      return Result::failure(EINVAL);
    const itimerspec wanted = {{sent->interval_s, sent->interval_ns},
                               {sent->value_s, sent->value_ns}};
    if (timerfd_settime(fd, int(call.b), &wanted, &now))
      return Result::failure(errno);
  }
  const rpc_timer wire = {now.it_interval.tv_sec, now.it_interval.tv_nsec,
                          now.it_value.tv_sec, now.it_value.tv_nsec};
  return SystemResult(Result(0), bytes_of(wire));
}

//===-- epoll -------------------------------------------------------------===//

SystemResult make_epoll(Services &services, const SystemCall &call) {
  if (call.a & ~uint64_t(EPOLL_CLOEXEC))
    return Result::failure(EINVAL);
  return add_file(services, epoll_create1(EPOLL_CLOEXEC), call.a);
}

SystemResult control_epoll(Services &services, const SystemCall &call) {
  int fd, of;
  auto epoll = find(services, call.a, fd), file = find(services, call.c, of);
  if (!epoll || !file)
    return Result::failure(EBADF);
  epoll_event event = {.events = uint32_t(call.d), .data = {.u64 = call.e}};
  return SystemResult::of_call(epoll_ctl(fd, int(call.b), of, &event));
}

Task<SystemResult> wait_for_events(Services &services, Port &port,
                                   const SystemCall &call) {
  constexpr uint64_t MOST = 4096; // at once; the others come with the next call
  const auto epoll = services.descriptors.find(call.a);
  if (!epoll)
    co_return Result::failure(EBADF);
  if (!call.b || call.b > INT32_MAX)
    co_return Result::failure(EINVAL);
  std::vector<epoll_event> events(std::min(call.b, MOST));
  const int fd = epoll->file.descriptor();
  const CallDeadline deadline(services, call);
  int count;
  while ((count = epoll_wait(fd, events.data(), int(events.size()), 0)) <= 0) {
    if (count < 0 && errno != EINTR)
      co_return Result::failure(errno);
    const int error = deadline.refusal();
    if (error == ETIMEDOUT)
      co_return 0;
    if (error)
      co_return Result::failure(error);
    co_await services.flush_prompt(port, *services.standard[0]);
    co_await FileWait(port, fd, POLLIN, deadline.next());
  }
  std::string output;
  for (int i = 0; i < count; ++i)
    output += bytes_of(rpc_epoll_event{events[size_t(i)].data.u64,
                                       events[size_t(i)].events, 0});
  co_return SystemResult(Result(count), std::move(output));
}

//===-- inotify -----------------------------------------------------------===//

SystemResult make_inotify(Services &services, const SystemCall &call) {
  if (call.a & ~uint64_t(IN_NONBLOCK | IN_CLOEXEC))
    return Result::failure(EINVAL);
  return add_file(services, inotify_init1(IN_NONBLOCK | IN_CLOEXEC), call.a);
}

SystemResult add_watch(Services &services, const SystemCall &call) {
  int fd, error = 0;
  auto descriptor = find(services, call.a, fd);
  if (!descriptor)
    return Result::failure(EBADF);
  const auto mask = uint32_t(call.b);
  // The path begins in the program's directory, not in the process's.
  const int follow = mask & IN_DONT_FOLLOW ? O_NOFOLLOW : 0;
  const gpuexec::UniqueFd place(
      services.files.open(call.input, O_PATH | follow, 0, error));
  if (!place)
    return Result::failure(error);
  const std::string path = "/proc/self/fd/" + std::to_string(place.get());
  return SystemResult::of_call(
      inotify_add_watch(fd, path.c_str(), mask & ~IN_DONT_FOLLOW));
}

SystemResult remove_watch(Services &services, const SystemCall &call) {
  int fd;
  auto descriptor = find(services, call.a, fd);
  return descriptor ? SystemResult::of_call(inotify_rm_watch(fd, int(call.b)))
                    : Result::failure(EBADF);
}

} // namespace

RPC_SERVE_SYSTEM_CALL(EVENTFD, make_eventfd)
RPC_SERVE_SYSTEM_CALL(TIMERFD_CREATE, make_timerfd)
RPC_SERVE_SYSTEM_CALL(TIMERFD_TIME, timerfd_time)
RPC_SERVE_SYSTEM_CALL(EPOLL_CREATE, make_epoll)
RPC_SERVE_SYSTEM_CALL(EPOLL_CONTROL, control_epoll)
RPC_SERVE_SYSTEM_CALL(EPOLL_WAIT, wait_for_events)
RPC_SERVE_SYSTEM_CALL(INOTIFY_INIT, make_inotify)
RPC_SERVE_SYSTEM_CALL(INOTIFY_ADD, add_watch)
RPC_SERVE_SYSTEM_CALL(INOTIFY_REMOVE, remove_watch)
