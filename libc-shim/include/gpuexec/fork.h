// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/gpuexec/fork.h - fork() before exec -----*- C -*-===*
 * With -D_GPUEXEC_FORK a C program may start others with fork and exec.
 * libc-shim/process/fork.c says what a child may do. <stdlib.h> includes this
 * file for exit, <unistd.h> for the rest, behind its own declarations.
 *===----------------------------------------------------------------------===*/
#if defined(_GPUEXEC_FORK) && !defined(__cplusplus)
#ifndef GPUEXEC_FORK_EXIT
#define GPUEXEC_FORK_EXIT
__attribute__((__noreturn__)) void __gpuexec_exit(int);
__attribute__((__noreturn__)) void __gpuexec_exit_at_once(int);
#define exit __gpuexec_exit
#define _exit __gpuexec_exit_at_once
#define _Exit __gpuexec_exit_at_once
#endif

#if defined(GPUEXEC_UNISTD_H) && !defined(GPUEXEC_FORK_EXEC)
#define GPUEXEC_FORK_EXEC
struct __gpuexec_jump_buffer;
int _setjmp(struct __gpuexec_jump_buffer *) __attribute__((__returns_twice__));
struct __gpuexec_jump_buffer *__gpuexec_fork_point(void);
int __gpuexec_fork_child(void);
int __gpuexec_fork_parent(void);
int __gpuexec_execv(const char *, char *const[]);
int __gpuexec_execve(const char *, char *const[], char *const[]);
int __gpuexec_execvp(const char *, char *const[]);
int __gpuexec_execvpe(const char *, char *const[], char *const[]);
int __gpuexec_execl(const char *, const char *, ...);
int __gpuexec_execlp(const char *, const char *, ...);
int __gpuexec_execle(const char *, const char *, ...);

/* Returns twice: 0 in the child, then the child's number in the parent. */
#define fork()                                                                 \
  (_setjmp(__gpuexec_fork_point()) ? __gpuexec_fork_parent()                   \
                                   : __gpuexec_fork_child())
#define vfork() fork()
#define execv __gpuexec_execv
#define execve __gpuexec_execve
#define execvp __gpuexec_execvp
#define execvpe __gpuexec_execvpe
#define execl __gpuexec_execl
#define execlp __gpuexec_execlp
#define execle __gpuexec_execle
#endif
#endif
