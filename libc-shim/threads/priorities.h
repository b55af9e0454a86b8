//===-- libc-shim/threads/priorities.h - Linux's priorities ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_THREADS_PRIORITIES_H
#define GPUEXEC_LIBC_THREADS_PRIORITIES_H

#include <sched.h>
#include <stdbool.h>

enum { LOWEST_PRIORITY = 1, HIGHEST_PRIORITY = 99 };

static inline bool is_policy(int policy) {
  return policy == SCHED_OTHER || policy == SCHED_FIFO || policy == SCHED_RR;
}
static inline bool is_realtime_priority(int priority) {
  return priority >= LOWEST_PRIORITY && priority <= HIGHEST_PRIORITY;
}
/// Does the policy have this priority?
static inline bool has_priority(int policy, int priority) {
  return policy == SCHED_OTHER
             ? priority == 0
             : is_policy(policy) && is_realtime_priority(priority);
}

#endif
