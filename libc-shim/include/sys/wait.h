/*===-- libc-shim/include/sys/wait.h - Statuses of system() -------*- C -*-===*/
#ifndef GPUEXEC_SYS_WAIT_H
#define GPUEXEC_SYS_WAIT_H

#include <gpuexec/unavailable.h>
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

#ifdef __cplusplus
extern "C" {
#endif
pid_t wait(int *) __GPUEXEC_NO_PROCESSES(wait);
pid_t waitpid(pid_t, int *, int) __GPUEXEC_NO_PROCESSES(waitpid);
#ifdef __cplusplus
}
#endif
#endif
