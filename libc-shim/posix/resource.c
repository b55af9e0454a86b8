//===-- libc-shim/posix/resource.c - Limits and time used -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process is the one that serves the calls on the host: its processor time
// is that of the program's calls. Limits are the program's own.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/system_call.h"
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

//===-- Limits ------------------------------------------------------------===//

// The program's own, by kind. Unset is 0, which stands for the first limit.
static struct {
  _Bool set;
  struct rlimit is;
} limits[RLIM_NLIMITS];

static _Bool is_limit(int which) {
  return which >= 0 && which < (int)RLIM_NLIMITS;
}

static rlim_t first_limit(int which) {
  return which == RLIMIT_NOFILE ? (rlim_t)sysconf(_SC_OPEN_MAX)
         : which == RLIMIT_CORE ? 0
                                : RLIM_INFINITY;
}

int getrlimit(int which, struct rlimit *to) {
  if (!is_limit(which))
    return fail_with(EINVAL);
  const rlim_t first = first_limit(which);
  *to = limits[which].set ? limits[which].is : (struct rlimit){first, first};
  return 0;
}

/// Has the host keep to the limit. Returns 0, or -1 with errno.
static int enforce(int which, rlim_t limit) {
  switch (which) {
  case RLIMIT_NOFILE:
    return __system_words(RPC_CALL_DESCRIPTOR_LIMIT, 1, limit, 0) < 0 ? -1 : 0;
  case RLIMIT_DATA:
  case RLIMIT_AS:
    return (int)__system_words(RPC_CALL_MEMORY_LIMIT, limit, 0, 0);
  case RLIMIT_STACK: // a thread's stack has its size already
    return 0;
  default:
    return fail_with(EPERM);
  }
}

int setrlimit(int which, const struct rlimit *wanted) {
  struct rlimit now;
  if (getrlimit(which, &now) || wanted->rlim_cur > wanted->rlim_max)
    return fail_with(EINVAL);
  if (wanted->rlim_max > now.rlim_max)
    return fail_with(EPERM);
  if (wanted->rlim_cur == now.rlim_cur && wanted->rlim_max == now.rlim_max)
    return 0;
  if (wanted->rlim_cur != now.rlim_cur && enforce(which, wanted->rlim_cur))
    return -1;
  limits[which].is = *wanted;
  limits[which].set = 1;
  return 0;
}

int getdtablesize(void) { return (int)sysconf(_SC_OPEN_MAX); }
