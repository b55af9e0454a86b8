// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sched.h - newlib's and more -------------*- C -*-===*
 * The policies of Linux. They are those of the host's process, which serves the
 * program's calls: the device runs its waves as it likes. Under --sandbox there
 * is no process but the program's, whose policy stays SCHED_OTHER (EPERM).
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_SCHED_H
#define GPUEXEC_SCHED_H

#include_next <sched.h>
#include <time.h>

#define SCHED_BATCH 3
#define SCHED_IDLE 5
#define SCHED_DEADLINE 6
#define SCHED_RESET_ON_FORK 0x40000000

#ifdef __cplusplus
extern "C" {
#endif
/* Lets other waves of the GPU run. */
int sched_yield(void);
/* The number of a process, or 0 for the program. EINVAL for a number below 0,
   no parameters or what the policy does not have; ESRCH; EPERM. */
int sched_getscheduler(pid_t);
int sched_setscheduler(pid_t, int, const struct sched_param *);
int sched_getparam(pid_t, struct sched_param *);
int sched_setparam(pid_t, const struct sched_param *);
int sched_rr_get_interval(pid_t, struct timespec *);
/* 1 and 99 for SCHED_FIFO and SCHED_RR, else 0; EINVAL for no policy. */
int sched_get_priority_max(int);
int sched_get_priority_min(int);
#ifdef __cplusplus
}
#endif
#endif
