// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/signal.h - Signals and handlers ---*- C -*-===//
 * C17's and POSIX's <signal.h> with Linux's numbers. Nothing stops a GPU thread
 * at any place of its code: it carries out signals when it raises or unblocks
 * them, while it waits (sleep, locks, joins ...), when a POSIX call of the host
 * returns, and in loops that read a volatile variable or have no end. Handlers
 * run on the thread's own stack.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_SIGNAL_H
#define GPUEXEC_SIGNAL_H

#include <sys/_pthreadtypes.h>
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
#define SI_USER 0
#define SI_KERNEL 0x80
#define SI_QUEUE (-1)
#define SI_TIMER (-2)
#define SI_MESGQ (-3)
#define SI_ASYNCIO (-4)
#define SI_TKILL (-6)

union sigval {
  int sival_int;
  void *sival_ptr;
};
typedef union sigval sigval_t;

typedef struct {
  int si_signo, si_errno, si_code;
  pid_t si_pid;
  uid_t si_uid;
  void *si_addr;
  int si_status;
  union sigval si_value;  /* of sigqueue(), or of a timer's sigevent */
  int si_timerid, si_overrun;
  long si_band;
  int si_fd;
} siginfo_t;
#define si_int si_value.sival_int
#define si_ptr si_value.sival_ptr

/* How a timer or a finished request tells the program. */
struct sigevent {
  union sigval sigev_value;
  int sigev_signo;
  int sigev_notify;
  void (*sigev_notify_function)(union sigval);
  pthread_attr_t *sigev_notify_attributes;
};
typedef struct sigevent sigevent_t;
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2

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

/* si_code of SIGCHLD. */
#define CLD_EXITED 1
#define CLD_KILLED 2
#define CLD_DUMPED 3
#define CLD_TRAPPED 4
#define CLD_STOPPED 5
#define CLD_CONTINUED 6

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
/* The stack is kept, and has no effect: handlers run on the thread's own.
 * EINVAL: unknown flags; ENOMEM: less than MINSIGSTKSZ bytes. */
int sigaltstack(const stack_t *__restrict, stack_t *__restrict);
/* raise() in the program's own process group; EPERM for others. */
int killpg(pid_t, int);
/* Sets or clears SA_RESTART. */
int siginterrupt(int, int);
#ifdef _GNU_SOURCE
/* "Hangup"; null for no signal. */
const char *sigdescr_np(int);
#endif
/* Handlers are the whole program's; raise() runs them in the calling thread,
   and abort() that of SIGABRT. EINVAL: no such signal, or one that
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
#ifdef _GNU_SOURCE
int sigisemptyset(const sigset_t *);
int sigandset(sigset_t *, const sigset_t *, const sigset_t *);
int sigorset(sigset_t *, const sigset_t *, const sigset_t *);
#endif
/* raise() for the program's own process; the host's for what posix_spawn()
   started; EPERM for others. */
int kill(pid_t, int);
/* kill() with a value, for the program itself; EPERM for others; EAGAIN: 256
   signals with values are pending. */
int sigqueue(pid_t, int, union sigval);
/* Sends a signal to a thread of a program that creates threads. Returns 0 or
   ESRCH, EINVAL. */
int pthread_kill(pthread_t, int);
int pthread_sigqueue(pthread_t, int, union sigval);
/* For the calling thread. */
int sigprocmask(int, const sigset_t *__restrict, sigset_t *__restrict);
int pthread_sigmask(int, const sigset_t *__restrict, sigset_t *__restrict);
/* The signals that are blocked and pending. */
int sigpending(sigset_t *);
/* Waits until a handler has run. */
int sigsuspend(const sigset_t *);
/* Wait for a signal of the set and take it: no handler runs. sigwait() returns 0;
   the others the signal's number, or -1 with EINTR (the handler of another
   signal has run) or EAGAIN (the time is over). */
int sigwait(const sigset_t *__restrict, int *__restrict);
int sigwaitinfo(const sigset_t *__restrict, siginfo_t *__restrict);
int sigtimedwait(const sigset_t *__restrict, siginfo_t *__restrict,
                 const struct timespec *__restrict);
/* System V's. sigset() with SIG_HOLD blocks the signal. */
#define SIG_HOLD ((sighandler_t)2)
sighandler_t sigset(int, sighandler_t);
int sighold(int);
int sigrelse(int);
int sigignore(int);
/* X/Open's: waits with one signal unblocked. */
int sigpause(int);
/* glibc's texts. strsignal() may return a buffer of the calling thread. */
char *strsignal(int);
void psignal(int, const char *);
void psiginfo(const siginfo_t *, const char *);
#ifdef __cplusplus
}
#endif
#endif
