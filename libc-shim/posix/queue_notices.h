//===-- libc-shim/posix/queue_notices.h - mq_notify -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_QUEUE_NOTICES_H
#define GPUEXEC_LIBC_QUEUE_NOTICES_H

/// Called after a call of a queue: tells the program of messages that came to
/// its queues. Null until the program has called mq_notify().
extern void (*__gpuexec_look_at_queues)(void);

#endif
