//===-- rpc/services/message_queues.cpp - mq_open, mq_send ... ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Message queues of the host, as descriptors of the program's table. The host's
// descriptor never blocks; a call that waits polls it and holds no thread.
//===----------------------------------------------------------------------===//
#include "rpc/services/system_calls.h"
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>

using namespace gpuexec::rpc;

namespace {

constexpr int OPEN_FLAGS = O_ACCMODE | O_CREAT | O_EXCL | O_NONBLOCK;

SystemResult open_queue(Services &services, const SystemCall &call) {
  const int flags = int(call.a) & OPEN_FLAGS;
  mq_attr attributes = {};
  attributes.mq_maxmsg = long(call.d);
  attributes.mq_msgsize = long(call.e);
  const int fd =
      mq_open(call.input.c_str(), flags | O_NONBLOCK | O_CLOEXEC,
              mode_t(call.b & 07777), call.c ? &attributes : nullptr);
  if (fd < 0)
    return Result::failure(errno);
  auto descriptor = std::make_shared<Descriptor>(fd, true);
  descriptor->nonblocking = flags & O_NONBLOCK;
  descriptor->close_on_exec = true; // as Linux has it
  return services.add_descriptor(std::move(descriptor));
}

SystemResult unlink_queue(Services &, const SystemCall &call) {
  return SystemResult::of_call(mq_unlink(call.input.c_str()));
}

/// Calls attempt(queue), which returns -1 and EAGAIN while the queue is not
/// ready, until the queue has one of `events` or the call's deadline comes.
/// Returns its last result; -1 with `error`.
template <typename F>
Task<long> when_ready(Services &services, Port &port, const SystemCall &call,
                      short events, int &error, F attempt) {
  auto queue = services.descriptors.find(call.a);
  error = EBADF;
  if (!queue)
    co_return -1;
  const int fd = queue->file.descriptor();
  const CallDeadline deadline(services, call);
  for (;;) {
    const long result = attempt(fd);
    error = errno;
    if (result >= 0 || error != EAGAIN || queue->nonblocking)
      co_return result;
    error = deadline.refusal();
    if (error)
      co_return -1;
    co_await FileWait(port, fd, events, deadline.next());
  }
}

Task<SystemResult> send_message(Services &services, Port &port,
                                const SystemCall &call) {
  int error = EINVAL;
  const bool is_priority = call.b <= UINT32_MAX;
  const long result =
      is_priority ? co_await when_ready(services, port, call, POLLOUT, error,
                                        [&](int fd) {
                                          return mq_send(fd, call.input.data(),
                                                         call.input.size(),
                                                         unsigned(call.b));
                                        })
                  : -1;
  co_return result < 0 ? Result::failure(error) : Result(0);
}

Task<SystemResult> receive_message(Services &services, Port &port,
                                   const SystemCall &call) {
  mq_attr attributes = {};
  auto queue = services.descriptors.find(call.a);
  if (!queue || mq_getattr(queue->file.descriptor(), &attributes))
    co_return Result::failure(EBADF);
  if (call.b < uint64_t(attributes.mq_msgsize))
    co_return Result::failure(EMSGSIZE);
  std::string message(size_t(attributes.mq_msgsize), '\0');
  unsigned priority = 0;
  int error = 0;
  const long size =
      co_await when_ready(services, port, call, POLLIN, error, [&](int fd) {
        return mq_receive(fd, message.data(), message.size(), &priority);
      });
  if (size < 0)
    co_return Result::failure(error);
  message.resize(size_t(size));
  co_return SystemResult(ResultWords<2>(size, priority), std::move(message));
}

SystemResult queue_attributes(Services &services, const SystemCall &call) {
  mq_attr now = {};
  auto queue = services.descriptors.find(call.a);
  if (!queue || mq_getattr(queue->file.descriptor(), &now))
    return Result::failure(EBADF);
  if (call.b == 1 && call.c & ~uint64_t(O_NONBLOCK))
    return Result::failure(EINVAL);
  const rpc_queue_attributes wire = {.flags =
                                         queue->nonblocking ? O_NONBLOCK : 0,
                                     .most_messages = now.mq_maxmsg,
                                     .message_size = now.mq_msgsize,
                                     .messages = now.mq_curmsgs};
  if (call.b == 1)
    queue->nonblocking = call.c & O_NONBLOCK;
  return SystemResult(Result(0), bytes_of(wire));
}

/// The kernel keeps the registration, which only excludes others here: the
/// device asks whether it has ended and sends the signal itself.
SystemResult notify(Services &services, const SystemCall &call) {
  auto queue = services.descriptors.find(call.a);
  if (!queue)
    return Result::failure(EBADF);
  const int fd = queue->file.descriptor();
  sigevent none = {};
  none.sigev_notify = SIGEV_NONE;
  if (call.b != 2)
    return SystemResult::of_call(mq_notify(fd, call.b ? &none : nullptr));
  if (mq_notify(fd, &none) == 0) {
    mq_notify(fd, nullptr);
    return 1;
  }
  return errno == EBUSY ? SystemResult(0) : Result::failure(errno);
}

} // namespace

RPC_SERVE_SYSTEM_CALL(QUEUE_OPEN, open_queue)
RPC_SERVE_SYSTEM_CALL(QUEUE_UNLINK, unlink_queue)
RPC_SERVE_SYSTEM_CALL(QUEUE_SEND, send_message)
RPC_SERVE_SYSTEM_CALL(QUEUE_RECEIVE, receive_message)
RPC_SERVE_SYSTEM_CALL(QUEUE_ATTRIBUTES, queue_attributes)
RPC_SERVE_SYSTEM_CALL(QUEUE_NOTIFY, notify)
