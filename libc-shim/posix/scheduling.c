//===-- libc-shim/posix/scheduling.c - Policies of the host's processes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/system_call.h"
#include <sched.h>

int sched_getscheduler(pid_t process) {
  return (int)__system_words(RPC_CALL_SCHEDULER, (uint64_t)(int64_t)process, 0,
                             0);
}

int sched_getparam(pid_t process, struct sched_param *to) {
  system_call call = {.words = {(uint64_t)(int64_t)process}};
  if (!to)
    return fail_with(EINVAL);
  const host_reply reply = __system_call(RPC_CALL_SCHEDULER, &call);
  if (__host_result(reply) < 0)
    return -1;
  *to = (struct sched_param){.sched_priority = (int)reply.words[1]};
  return 0;
}

static int set(pid_t process, int policy, const struct sched_param *wanted) {
  if (!wanted)
    return fail_with(EINVAL);
  return (int)__system_words(RPC_CALL_SET_SCHEDULER, (uint64_t)(int64_t)process,
                             (uint64_t)(int64_t)policy,
                             (uint64_t)wanted->sched_priority);
}
int sched_setscheduler(pid_t process, int policy,
                       const struct sched_param *wanted) {
  return policy < 0 ? fail_with(EINVAL) : set(process, policy, wanted);
}
int sched_setparam(pid_t process, const struct sched_param *wanted) {
  return set(process, -1, wanted);
}

int sched_rr_get_interval(pid_t process, struct timespec *to) {
  system_call call = {.words = {(uint64_t)(int64_t)process}};
  if (!to)
    return fail_with(EFAULT);
  const host_reply reply = __system_call(RPC_CALL_ROUND_ROBIN_INTERVAL, &call);
  if (__host_result(reply) < 0)
    return -1;
  *to = (struct timespec){(time_t)reply.words[1], (long)reply.words[2]};
  return 0;
}

/// The bound of a policy's priorities: `of_real_time`, or 0 for the others.
static int bound(int policy, int of_real_time) {
  switch (policy) {
  case SCHED_FIFO:
  case SCHED_RR:
    return of_real_time;
  case SCHED_OTHER:
  case SCHED_BATCH:
  case SCHED_IDLE:
  case SCHED_DEADLINE:
    return 0;
  default:
    return fail_with(EINVAL);
  }
}
int sched_get_priority_max(int policy) { return bound(policy, 99); }
int sched_get_priority_min(int policy) { return bound(policy, 1); }
