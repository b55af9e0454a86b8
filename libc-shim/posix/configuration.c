//===-- libc-shim/posix/configuration.c - sysconf, pathconf, confstr ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// glibc's answers where they are constants, this library's limits, and the size
// of the host's memory, where the host tells it (-1 in a sandbox). A program
// runs on one processor unless its launch says so.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <limits.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { VERSION = 200809, UNKNOWN = -1 };

int getpagesize(void) { return 4096; }

long sysconf(int name) {
  switch (name) {
  case _SC_ARG_MAX:
    return 2097152;
  case _SC_CLK_TCK:
    return 100;
  case _SC_NGROUPS_MAX:
    return 65536;
  case _SC_OPEN_MAX:
    return 1024;
  case _SC_STREAM_MAX:
    return 16;
  case _SC_PAGESIZE:
    return getpagesize();
  case _SC_IOV_MAX:
  case _SC_GETGR_R_SIZE_MAX:
  case _SC_GETPW_R_SIZE_MAX:
    return 1024;
  case _SC_LOGIN_NAME_MAX:
    return 256;
  case _SC_TTY_NAME_MAX:
    return 32;
  case _SC_HOST_NAME_MAX:
    return 64;
  case _SC_LINE_MAX:
  case _SC_BC_DIM_MAX:
    return 2048;
  case _SC_BC_BASE_MAX:
  case _SC_BC_SCALE_MAX:
    return 99;
  case _SC_BC_STRING_MAX:
    return 1000;
  case _SC_COLL_WEIGHTS_MAX:
    return 255;
  case _SC_EXPR_NEST_MAX:
    return 32;
  case _SC_RE_DUP_MAX:
    return 32767;
  case _SC_PASS_MAX:
    return 8192;
  case _SC_AIO_PRIO_DELTA_MAX:
    return 20;
  case _SC_MQ_PRIO_MAX:
    return 32768;
  case _SC_RTSIG_MAX:
    return 32;
  case _SC_THREAD_DESTRUCTOR_ITERATIONS:
    return 4;
  case _SC_THREAD_KEYS_MAX:
    return 128;
  case _SC_THREAD_STACK_MIN:
    return 16384;
  case _SC_ATEXIT_MAX:
  case _SC_SEM_VALUE_MAX:
  case _SC_DELAYTIMER_MAX:
    return INT_MAX;
  case _SC_VERSION:
  case _SC_2_VERSION:
  case _SC_MONOTONIC_CLOCK:
  case _SC_FSYNC:
  case _SC_MAPPED_FILES:
  case _SC_THREAD_SAFE_FUNCTIONS:
  case _SC_PRIORITY_SCHEDULING:
  case _SC_ASYNCHRONOUS_IO:
  case _SC_PRIORITIZED_IO:
  case _SC_SYNCHRONIZED_IO:
  case _SC_MEMLOCK:
  case _SC_MEMLOCK_RANGE:
  case _SC_MESSAGE_PASSING:
  case _SC_SEMAPHORES:
  case _SC_SHARED_MEMORY_OBJECTS:
  case _SC_TIMEOUTS:
  case _SC_CPUTIME:
  case _SC_THREAD_CPUTIME:
  case _SC_CLOCK_SELECTION:
  case _SC_ADVISORY_INFO:
  case _SC_THREADS:
  case _SC_TIMERS:
  case _SC_REALTIME_SIGNALS:
  case _SC_READER_WRITER_LOCKS:
  case _SC_BARRIERS:
  case _SC_SPIN_LOCKS:
  case _SC_THREAD_ATTR_STACKSIZE:
  case _SC_SPAWN:
    return VERSION;
  case _SC_XOPEN_VERSION:
    return 700;
  case _SC_REGEXP:
  case _SC_SHELL:
  case _SC_JOB_CONTROL:
  case _SC_SAVED_IDS:
  case _SC_NPROCESSORS_CONF:
  case _SC_NPROCESSORS_ONLN:
    return 1;
  case _SC_CHILD_MAX:
  case _SC_TZNAME_MAX:
  case _SC_SYMLOOP_MAX:
  case _SC_SIGQUEUE_MAX:
  case _SC_AIO_LISTIO_MAX:
  case _SC_AIO_MAX:
  case _SC_MQ_OPEN_MAX:
  case _SC_SEM_NSEMS_MAX:
  case _SC_TIMER_MAX:
  case _SC_THREAD_THREADS_MAX:
  case _SC_MEMORY_PROTECTION:
  case _SC_SPORADIC_SERVER:
  case _SC_THREAD_SPORADIC_SERVER:
  case _SC_THREAD_ATTR_STACKADDR:
  case _SC_THREAD_PRIORITY_SCHEDULING:
  case _SC_THREAD_PRIO_INHERIT:
  case _SC_THREAD_PRIO_PROTECT:
  case _SC_THREAD_PROCESS_SHARED:
  case _SC_TYPED_MEMORY_OBJECTS:
  case _SC_TRACE:
  case _SC_IPV6:
  case _SC_RAW_SOCKETS:
    return UNKNOWN;
  case _SC_PHYS_PAGES:
    return get_phys_pages();
  case _SC_AVPHYS_PAGES:
    return get_avphys_pages();
  }
  return fail_with(EINVAL);
}

/// The limit `name` of a file in the file system that `facts` describe. `facts`
/// is null if the host could not tell them; errno then says why.
static long limit_of_file(int name, const struct statvfs *facts) {
  switch (name) {
  case _PC_LINK_MAX:
    return 127; // glibc's value for file systems that it does not know
  case _PC_MAX_CANON:
  case _PC_MAX_INPUT:
    return 255;
  case _PC_NAME_MAX:
    return facts ? (long)facts->f_namemax : -1;
  case _PC_PATH_MAX:
  case _PC_PIPE_BUF:
    return 4096;
  case _PC_CHOWN_RESTRICTED:
  case _PC_NO_TRUNC:
  case _PC_2_SYMLINKS:
    return 1;
  case _PC_VDISABLE:
    return 0;
  case _PC_FILESIZEBITS:
    return 64;
  case _PC_REC_MIN_XFER_SIZE:
  case _PC_REC_XFER_ALIGN:
  case _PC_ALLOC_SIZE_MIN:
    return facts ? (long)facts->f_bsize : -1;
  case _PC_SYNC_IO:
  case _PC_ASYNC_IO:
  case _PC_PRIO_IO:
  case _PC_SOCK_MAXBUF:
  case _PC_REC_INCR_XFER_SIZE:
  case _PC_REC_MAX_XFER_SIZE:
  case _PC_SYMLINK_MAX:
    return UNKNOWN;
  }
  return fail_with(EINVAL);
}

/// Does the answer depend on the file?
static _Bool needs_file_system(int name) {
  return name == _PC_NAME_MAX || name == _PC_REC_MIN_XFER_SIZE ||
         name == _PC_REC_XFER_ALIGN || name == _PC_ALLOC_SIZE_MIN;
}

long pathconf(const char *path, int name) {
  if (!*path)
    return fail_with(ENOENT);
  struct statvfs facts;
  const _Bool asks = needs_file_system(name);
  return limit_of_file(name, asks && !statvfs(path, &facts) ? &facts : NULL);
}

long fpathconf(int fd, int name) {
  if (fd < 0)
    return fail_with(EBADF);
  struct statvfs facts;
  const _Bool asks = needs_file_system(name);
  return limit_of_file(name, asks && !fstatvfs(fd, &facts) ? &facts : NULL);
}

size_t confstr(int name, char *to, size_t size) {
  static const char path[] = "/bin:/usr/bin";
  if (name != _CS_PATH) {
    errno = EINVAL;
    return 0;
  }
  if (to && size)
    strlcpy(to, path, size);
  return sizeof path;
}
