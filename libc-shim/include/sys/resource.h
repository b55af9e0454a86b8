// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/resource.h - Linux's limits ---------*- C -*-===*/
#ifndef GPUEXEC_SYS_RESOURCE_H
#define GPUEXEC_SYS_RESOURCE_H

#include <sys/time.h>

typedef unsigned long rlim_t;
struct rlimit {
  rlim_t rlim_cur;
  rlim_t rlim_max;
};
#define RLIM_INFINITY (~(rlim_t)0)
#define RLIM_SAVED_CUR RLIM_INFINITY
#define RLIM_SAVED_MAX RLIM_INFINITY
#define RLIMIT_CPU 0
#define RLIMIT_FSIZE 1
#define RLIMIT_DATA 2
#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_RSS 5
#define RLIMIT_NPROC 6
#define RLIMIT_NOFILE 7
#define RLIMIT_MEMLOCK 8
#define RLIMIT_AS 9
#define RLIM_NLIMITS 16

#define PRIO_PROCESS 0
#define PRIO_PGRP 1
#define PRIO_USER 2
#define PRIO_MIN (-20)
#define PRIO_MAX 20
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)
struct rusage {
  struct timeval ru_utime; /* of the host's server */
  struct timeval ru_stime;
  long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss; /* these are 0 */
  long ru_minflt, ru_majflt, ru_nswap, ru_inblock, ru_oublock;
  long ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};

#ifdef __cplusplus
extern "C" {
#endif
int getrusage(int, struct rusage *);
/* Descriptors: sysconf(_SC_OPEN_MAX); core files: none; else no limit. */
int getrlimit(int, struct rlimit *);
/* Limits of this program alone: the number of descriptors (RLIMIT_NOFILE), and
   the bytes that malloc() and mmap() get from the host (RLIMIT_DATA or
   RLIMIT_AS, whichever is set last). RLIMIT_STACK is kept and changes nothing.
   EPERM for the others, and for a limit above the one that rlim_max was. */
int setrlimit(int, const struct rlimit *);
/* Of the host's server, which is the program's process; EPERM for others. */
int getpriority(int, id_t);
int setpriority(int, id_t, int);
#ifdef __cplusplus
}
#endif
#endif
