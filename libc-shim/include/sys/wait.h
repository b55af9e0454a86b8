// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/wait.h - Children of the program -------*- C -*-===*/
#ifndef GPUEXEC_SYS_WAIT_H
#define GPUEXEC_SYS_WAIT_H

#include <sys/types.h>

#define WEXITSTATUS(status) (((status) & 0xff00) >> 8)
#define WTERMSIG(status) ((status) & 0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (((signed char)(((status) & 0x7f) + 1) >> 1) > 0)
#define WIFSTOPPED(status) (((status) & 0xff) == 0x7f)
#define WCOREDUMP(status) ((status) & 0x80)
#define WNOHANG 1
#define WUNTRACED 2
#define WCONTINUED 8
#define WIFCONTINUED(status) ((status) == 0xffff)
#define W_EXITCODE(code, signal) ((code) << 8 | (signal))

#ifdef __cplusplus
extern "C" {
#endif
/* For what posix_spawn() started. Process groups mean any child. */
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
struct rusage;
/* No resources are told: 0. */
pid_t wait3(int *, int, struct rusage *);
pid_t wait4(pid_t, int *, int, struct rusage *);
#ifdef __cplusplus
}
#endif
#endif
