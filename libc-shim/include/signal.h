// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/signal.h - Handlers that raise() runs ---*- C -*-===//
 * C17's <signal.h>, Linux's numbers, and POSIX's functions for handlers and for
 * blocking signals. No signal reaches a GPU program from outside.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_SIGNAL_H
#define GPUEXEC_SIGNAL_H

#include <gpuexec/unavailable.h>
#include <sys/_sigset.h>
#include <sys/types.h>

#ifndef _SIGSET_T_DECLARED /* -std=c17 */
#define _SIGSET_T_DECLARED
typedef __sigset_t sigset_t;
#endif

typedef int sig_atomic_t;
typedef void (*sighandler_t)(int);
typedef sighandler_t __sighandler_t;

#define SIG_DFL ((sighandler_t)0)
#define SIG_IGN ((sighandler_t)1)
#define SIG_ERR ((sighandler_t) - 1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT SIGABRT
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL SIGIO
#define SIGPWR 30
#define SIGSYS 31
#define NSIG 65
#define _NSIG NSIG

#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SIGRTMIN 34
#define SIGRTMAX 64
#define SIGCLD SIGCHLD
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SI_TKILL (-6)

typedef struct {
  int si_signo, si_errno, si_code;
  pid_t si_pid;
  uid_t si_uid;
  void *si_addr;
  int si_status;
} siginfo_t;

struct sigaction {
  union {
    sighandler_t sa_handler;
    void (*sa_sigaction)(int, siginfo_t *, void *);
  } __handler;
#define sa_handler __handler.sa_handler
#define sa_sigaction __handler.sa_sigaction
  sigset_t sa_mask;
  int sa_flags;
};

/* si_code of SIGFPE, SIGSEGV and SIGBUS; the values are Linux's. No fault of a GPU becomes a signal: raise() has none of them. */
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define FPE_FLTOVF 4
#define FPE_FLTUND 5
#define FPE_FLTRES 6
#define FPE_FLTINV 7
#define FPE_FLTSUB 8
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define BUS_ADRALN 1
#define BUS_ADRERR 2
#define BUS_OBJERR 3

typedef struct {
  void *ss_sp;
  int ss_flags;
  size_t ss_size;
} stack_t;
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192

#ifdef __cplusplus
extern "C" {
#endif
/* ENOSYS: handlers run on the thread's own stack. */
int sigaltstack(const stack_t *__restrict, stack_t *__restrict);
/* raise() in the program's own process group; EPERM for others. */
int killpg(pid_t, int);
/* No call is interrupted by a signal. */
int siginterrupt(int, int);
#ifdef _GNU_SOURCE
/* "Hangup"; null for no signal. */
const char *sigdescr_np(int);
#endif
/* Handlers are the whole program's, as in C; raise() runs them in the calling
   thread, and abort() that of SIGABRT. EINVAL: no such signal, or one that
   cannot be caught. */
sighandler_t signal(int, sighandler_t);
int sigaction(int, const struct sigaction *__restrict,
              struct sigaction *__restrict);
int raise(int);
int sigemptyset(sigset_t *);
int sigfillset(sigset_t *);
int sigaddset(sigset_t *, int);
int sigdelset(sigset_t *, int);
int sigismember(const sigset_t *, int);
/* raise() for the program's own process; the host's for what posix_spawn()
   started; EPERM for others. */
int kill(pid_t, int);
/* For the calling thread: raise() keeps blocked signals until they are unblocked. */
int sigprocmask(int, const sigset_t *__restrict, sigset_t *__restrict);
int pthread_sigmask(int, const sigset_t *__restrict, sigset_t *__restrict);
int sigpending(sigset_t *);
/* Waits for the handler of SIGALRM, see alarm(); no other signal arrives. */
int sigsuspend(const sigset_t *);
/* glibc's texts. strsignal() may return a buffer of the calling thread. */
char *strsignal(int);
void psignal(int, const char *);
#ifdef __cplusplus
}
#endif
#endif
