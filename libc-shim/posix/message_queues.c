//===-- libc-shim/posix/message_queues.c - mq_open, mq_send ... -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's queues; rpc/services/message_queues.cpp serves them.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/system_call.h"
#include "libc-shim/posix/queue_notices.h"
#include <mqueue.h>
#include <stdarg.h>
#include <unistd.h>

void (*__gpuexec_look_at_queues)(void);

/// The result of a call of a queue, after which a notice may be due.
static long after_call(long result) {
  const int error = errno;
  if (__gpuexec_look_at_queues)
    __gpuexec_look_at_queues();
  errno = error;
  return result;
}

mqd_t mq_open(const char *name, int flags, ...) {
  system_call call = {.input = name,
                      .input_size = __builtin_strlen(name),
                      .words = {(uint64_t)flags}};
  if (flags & O_CREAT) {
    va_list list;
    va_start(list, flags);
    call.words[1] = va_arg(list, unsigned);
    const struct mq_attr *attributes = va_arg(list, const struct mq_attr *);
    va_end(list);
    call.words[2] = attributes != NULL;
    if (attributes) {
      call.words[3] = (uint64_t)attributes->mq_maxmsg;
      call.words[4] = (uint64_t)attributes->mq_msgsize;
    }
  }
  return (mqd_t)__host_result(__system_call(RPC_CALL_QUEUE_OPEN, &call));
}

int mq_close(mqd_t queue) { return close(queue); }

int mq_unlink(const char *name) {
  return (int)__system_name(RPC_CALL_QUEUE_UNLINK, name, 0, 0, 0);
}

//===-- Messages ----------------------------------------------------------===//

int mq_timedsend(mqd_t queue, const char *message, size_t size,
                 unsigned priority, const struct timespec *deadline) {
  system_call call = {.input = message,
                      .input_size = size,
                      .words = {(uint64_t)queue, priority}};
  return (int)after_call(
      __system_wait(RPC_CALL_QUEUE_SEND, &call, deadline, NULL));
}
int mq_send(mqd_t queue, const char *message, size_t size, unsigned priority) {
  return mq_timedsend(queue, message, size, priority, NULL);
}

ssize_t mq_timedreceive(mqd_t queue, char *restrict message, size_t capacity,
                        unsigned *restrict priority,
                        const struct timespec *restrict deadline) {
  system_call call = {.words = {(uint64_t)queue, capacity},
                      .output = message,
                      .capacity = capacity};
  host_reply reply;
  const ssize_t size = after_call(
      __system_wait(RPC_CALL_QUEUE_RECEIVE, &call, deadline, &reply));
  if (size >= 0 && priority)
    *priority = (unsigned)reply.words[1];
  return size;
}
ssize_t mq_receive(mqd_t queue, char *message, size_t capacity,
                   unsigned *priority) {
  return mq_timedreceive(queue, message, capacity, priority, NULL);
}

//===-- Attributes --------------------------------------------------------===//

static int attributes_call(mqd_t queue, bool change, long flags,
                           struct mq_attr *before) {
  rpc_queue_attributes answer = {0};
  system_call call = {.words = {(uint64_t)queue, change, (uint64_t)flags},
                      .output = &answer,
                      .capacity = sizeof answer};
  const int result =
      (int)__host_result(__system_call(RPC_CALL_QUEUE_ATTRIBUTES, &call));
  if (!result && before)
    *before = (struct mq_attr){.mq_flags = (long)answer.flags,
                               .mq_maxmsg = (long)answer.most_messages,
                               .mq_msgsize = (long)answer.message_size,
                               .mq_curmsgs = (long)answer.messages};
  return result;
}
int mq_getattr(mqd_t queue, struct mq_attr *to) {
  return attributes_call(queue, false, 0, to);
}
int mq_setattr(mqd_t queue, const struct mq_attr *restrict wanted,
               struct mq_attr *restrict before) {
  return attributes_call(queue, true, wanted->mq_flags, before);
}
