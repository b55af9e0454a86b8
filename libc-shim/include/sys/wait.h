/*===-- libc-shim/include/sys/wait.h - Statuses of system(), pclose() - C
 * -*-===*/
#ifndef GPUEXEC_SYS_WAIT_H
#define GPUEXEC_SYS_WAIT_H
#define WEXITSTATUS(status) (((status) & 0xff00) >> 8)
#define WTERMSIG(status) ((status) & 0x7f)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (((signed char)(((status) & 0x7f) + 1) >> 1) > 0)
#endif
