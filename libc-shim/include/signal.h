/*===-- libc-shim/include/signal.h - Handlers that raise() runs ---*- C -*-===*/
#ifndef GPUEXEC_SIGNAL_H
#define GPUEXEC_SIGNAL_H

#include <gpuexec/unavailable.h>
#include <sys/types.h>

typedef int sig_atomic_t;
typedef void (*sighandler_t)(int);

#define SIG_DFL ((sighandler_t)0)
#define SIG_IGN ((sighandler_t)1)
#define SIG_ERR ((sighandler_t) - 1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define NSIG 65

#ifdef __cplusplus
extern "C" {
#endif
/* Handlers are the whole program's, as in C; raise() runs them in the calling
   thread. */
sighandler_t signal(int, sighandler_t);
int raise(int);
int kill(pid_t, int) __GPUEXEC_NO_SIGNALS(kill);
char *strsignal(int);
void psignal(int, const char *);
#ifdef __cplusplus
}
#endif
#endif
