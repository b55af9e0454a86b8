//===-- rpc/services/clocks.cpp - Time and process of the host ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcodes 0x470004xx: clocks, process ids, host name, umask, time zone. The
// others of these numbers are in accounts.cpp, alarm.cpp and spawn.cpp.
//===----------------------------------------------------------------------===//
#include "rpc/services/serve.h"
#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

using namespace gpuexec::rpc;

namespace {

/// clock_gettime() or clock_getres().
template <int (*READ)(clockid_t, timespec *)>
ResultWords<2> read_clock(Services &, uint64_t clock) {
  static constexpr clockid_t CLOCKS[] = {CLOCK_REALTIME, CLOCK_MONOTONIC,
                                         CLOCK_PROCESS_CPUTIME_ID};
  timespec time = {};
  if (clock >= std::size(CLOCKS))
    return Result::failure(EINVAL);
  if (READ(CLOCKS[clock], &time))
    return Result::failure(errno);
  return {0, time.tv_sec, time.tv_nsec};
}

ResultWords<4> process_ids(Services &) {
  return {0, getpid(), getppid(), getuid(), getgid()};
}

ResultBytes<> host_name(Services &services) {
  char name[HOST_NAME_MAX + 1] = "localhost";
  // A sandbox does not reveal the machine's name.
  if (!services.files.sandboxed() && gethostname(name, sizeof name - 1))
    return Result::failure(errno);
  return {int64_t(strlen(name)), name};
}

Result set_umask(Services &, mode_t mask) { return umask(mask & 0777); }

ResultWords<6> local_time(Services &, time_t seconds) {
  tm local = {};
  if (!localtime_r(&seconds, &local))
    return Result::failure(EOVERFLOW);
  ResultWords<6> result = {0, local.tm_gmtoff, local.tm_isdst > 0};
  if (local.tm_zone)
    strncpy(reinterpret_cast<char *>(&result.words[2]), local.tm_zone,
            4 * sizeof(uint64_t) - 1);
  return result;
}

} // namespace

RPC_SERVE(CLOCK_GETTIME, read_clock<clock_gettime>)
RPC_SERVE(CLOCK_GETRES, read_clock<clock_getres>)
RPC_SERVE(GETPID, process_ids)
RPC_SERVE(GETHOSTNAME, host_name)
RPC_SERVE(LOCALTIME_OFFSET, local_time)
RPC_SERVE(UMASK, set_umask)
