//===-- rpc/services/scheduling.cpp - Priorities and limits ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Policies and priorities of the host's processes. The program's process is
// gpuexec's. In a sandbox there is no other, and nothing changes. Limits are
// the program's own.
//===----------------------------------------------------------------------===//
#include "rpc/services/system_calls.h"
#include <sched.h>
#include <unistd.h>

using namespace gpuexec::rpc;

namespace {

/// The process that a call means. errno or 0.
int process_of(Services &services, const SystemCall &call, pid_t &process) {
  process = pid_t(call.a);
  if (process < 0)
    return EINVAL;
  // Not 0, because on Linux that would mean the calling thread.
  if (!process)
    process = getpid();
  return services.files.sandboxed() && process != getpid() ? ESRCH : 0;
}

SystemResult scheduler(Services &services, const SystemCall &call) {
  pid_t process;
  if (int error = process_of(services, call, process))
    return Result::failure(error);
  sched_param now = {};
  if (services.files.sandboxed())
    return ResultWords<2>(SCHED_OTHER, 0);
  const int policy = sched_getscheduler(process);
  if (policy < 0 || sched_getparam(process, &now))
    return Result::failure(errno);
  return ResultWords<2>(policy, now.sched_priority);
}

SystemResult set_scheduler(Services &services, const SystemCall &call) {
  pid_t process;
  if (int error = process_of(services, call, process))
    return Result::failure(error);
  sched_param wanted = {};
  wanted.sched_priority = int(call.c);
  const int policy = int(call.b);
  if (services.files.sandboxed()) {
    const bool same = (policy == SCHED_OTHER || policy == -1) && !int(call.c);
    return Result::of(same ? 0 : EPERM);
  }
  return SystemResult::of_call(
      policy == -1 ? sched_setparam(process, &wanted)
                   : sched_setscheduler(process, policy, &wanted));
}

SystemResult round_robin_interval(Services &services, const SystemCall &call) {
  pid_t process;
  if (int error = process_of(services, call, process))
    return Result::failure(error);
  timespec interval = {};
  if (!services.files.sandboxed() && sched_rr_get_interval(process, &interval))
    return Result::failure(errno);
  return ResultWords<2>(0, interval.tv_sec, interval.tv_nsec);
}

/// RLIMIT_NOFILE of the program's table; the host's files are limited by the
/// process's own.
SystemResult descriptor_limit(Services &services, const SystemCall &call) {
  if (call.a == 1 && !services.descriptors.set_limit(int64_t(call.b)))
    return Result::failure(EPERM);
  return services.descriptors.limit();
}

SystemResult memory_limit(Services &services, const SystemCall &call) {
  services.heap.set_limit(call.a);
  return 0;
}

} // namespace

RPC_SERVE_SYSTEM_CALL(SCHEDULER, scheduler)
RPC_SERVE_SYSTEM_CALL(SET_SCHEDULER, set_scheduler)
RPC_SERVE_SYSTEM_CALL(ROUND_ROBIN_INTERVAL, round_robin_interval)
RPC_SERVE_SYSTEM_CALL(DESCRIPTOR_LIMIT, descriptor_limit)
RPC_SERVE_SYSTEM_CALL(MEMORY_LIMIT, memory_limit)
