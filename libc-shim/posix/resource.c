//===-- libc-shim/posix/resource.c - Limits and time used -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process is the one that serves the calls on the host: its processor time
// is that of the program's calls. Limits can be read but not changed.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int getrusage(int who, struct rusage *to) {
  if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN)
    return fail_with(EINVAL);
  memset(to, 0, sizeof *to);
  if (who == RUSAGE_CHILDREN)
    return 0;
  struct timespec used;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used))
    return -1;
  to->ru_utime = (struct timeval){used.tv_sec, used.tv_nsec / 1000};
  return 0;
}

static _Bool is_limit(int which) {
  return which >= 0 && which < (int)RLIM_NLIMITS;
}

int getrlimit(int which, struct rlimit *to) {
  if (!is_limit(which))
    return fail_with(EINVAL);
  const rlim_t limit = which == RLIMIT_NOFILE ? (rlim_t)sysconf(_SC_OPEN_MAX)
                       : which == RLIMIT_CORE ? 0
                                              : RLIM_INFINITY;
  *to = (struct rlimit){limit, limit};
  return 0;
}

int setrlimit(int which, const struct rlimit *wanted) {
  struct rlimit now;
  if (getrlimit(which, &now) || wanted->rlim_cur > wanted->rlim_max)
    return fail_with(EINVAL);
  return wanted->rlim_cur == now.rlim_cur && wanted->rlim_max == now.rlim_max
             ? 0
             : fail_with(EPERM);
}

int getdtablesize(void) { return (int)sysconf(_SC_OPEN_MAX); }
