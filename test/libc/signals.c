// signal.h: handlers, ignored signals, what raise() and abort() do, sigaction, sets, texts; then a handler for 4096 threads.
// RUN: %hostcc -fno-builtin %s -o %t.host && %t.host > %t.expected 2> %t.expected-errors
// RUN: %gpucc %lanes -O2 -w %s -o %t
// RUN: %run %t > %t.out 2> %t.errors
// RUN: diff %t.expected %t.out
// RUN: diff %t.expected-errors %t.errors
// RUN: %run --threads 256 --blocks 16 %t many
// What ends the program: the same as on the host, where a shell says 128 + N for signal N.
// RUN: bash -c 'for what in term abort handled kill ignored; do %t.host $what; echo $?; done' > %t.ends 2>/dev/null
// RUN: bash -c 'for what in term abort handled kill ignored; do %run %t $what; echo $?; done' > %t.own-ends 2>/dev/null
// RUN: diff %t.ends %t.own-ends
// A handler that aborts is not called again; glibc calls it until the stack overflows.
// RUN: %run %t twice > %t.twice 2>/dev/null; test $? = 134 && test "$(cat %t.twice)" = "handler of 6"
#define _GNU_SOURCE
#include "../Inputs/expect.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t last, calls;
static void remember(int number) {
  last = number;
  calls = calls + 1;
}
static void other(int number) { last = -number; }
static void with_information(int number, siginfo_t *information, void *context) {
  last = 1000 * information->si_signo + number;
}

static void say(int number) {
  printf("handler of %d\n", number);
  fflush(stdout);
}
static void abort_again(int number) {
  say(number);
  abort();
}

static void raise_more(int number) {
  printf("begin %d\n", number);
  if (number == SIGUSR1) {
    raise(SIGUSR1); // after this handler's end
    raise(SIGUSR2); // in its mask: likewise
    raise(SIGHUP);  // now
    signal(SIGUSR1, remember);
  }
  printf("end %d\n", number);
}

// What a thread holds back comes when it is let in, the lowest number first, each once.
static void masks(void) {
  sigset_t set, before, pending;
  signal(SIGUSR1, say), signal(SIGUSR2, say);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1), sigaddset(&set, SIGUSR2), sigaddset(&set, SIGKILL);
  printf("%d", sigprocmask(SIG_BLOCK, &set, &before));
  printf(" %d\n", sigismember(&before, SIGUSR1));
  printf("%d %d %d\n", raise(SIGUSR2), raise(SIGUSR1), raise(SIGUSR1));
  printf("%d", sigpending(&pending));
  printf(" %d %d %d\n", sigismember(&pending, SIGUSR1), sigismember(&pending, SIGUSR2), sigismember(&pending, SIGHUP));
  printf("%d\n", sigprocmask(SIG_BLOCK, NULL, &before));
  printf("%d %d %d\n", sigismember(&before, SIGUSR1), sigismember(&before, SIGKILL), sigismember(&before, SIGTERM));
  sigdelset(&set, SIGUSR2);
  printf("%d\n", sigprocmask(SIG_UNBLOCK, &set, NULL));
  sigemptyset(&set);
  printf("%d\n", pthread_sigmask(SIG_SETMASK, &set, &before));
  printf("%d %d\n", sigismember(&before, SIGUSR1), sigismember(&before, SIGUSR2));
  sigpending(&pending);
  printf("%d %d\n", sigismember(&pending, SIGUSR1), sigismember(&pending, SIGUSR2));
  errno = 0;
  printf("%d", sigprocmask(77, &set, NULL));
  printf(" %d %d %d\n", errno, pthread_sigmask(77, &set, NULL), sigprocmask(77, NULL, NULL));
  printf("%d", kill(getpid(), 0));
  printf(" %d\n", kill(getpid(), SIGUSR2));

  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigaddset(&action.sa_mask, SIGUSR2);
  action.sa_handler = raise_more;
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  sigaction(SIGHUP, &action, NULL);
  raise(SIGUSR1);
  action.sa_flags = SA_NODEFER | SA_RESETHAND;
  sigaction(SIGHUP, &action, NULL);
  raise(SIGHUP);
  printf("%d\n", last);
  for (int number = 1; number < 32; ++number)
    signal(number, SIG_DFL);
}

static void handlers(void) {
  printf("%d\n", signal(SIGUSR1, remember) == SIG_DFL);
  printf("%d %d %d\n", raise(SIGUSR1), last == SIGUSR1, calls);
  printf("%d %d %d\n", raise(SIGUSR1), last == SIGUSR1, calls); // it stays
  printf("%d\n", signal(SIGUSR1, other) == remember);
  printf("%d %d\n", raise(SIGUSR1), last == -SIGUSR1);
  printf("%d\n", signal(SIGUSR1, SIG_IGN) == other);
  printf("%d %d\n", raise(SIGUSR1), last == -SIGUSR1);
  printf("%d\n", signal(SIGUSR1, SIG_DFL) == SIG_IGN);
  static const int wrong[] = {0, -1, NSIG, 10000, SIGKILL, SIGSTOP};
  for (int i = 0; i < 6; ++i) {
    errno = 0;
    printf("%d %d\n", signal(wrong[i], remember) == SIG_ERR, errno);
  }
  errno = 0;
  printf("%d %d\n", raise(0), errno); // only whether there is such a process
  errno = 0;
  printf("%d %d\n", raise(NSIG), errno);
  errno = 0;
  printf("%d %d\n", raise(-3), errno);
  printf("%d %d %d %d\n", raise(SIGCHLD), raise(SIGCONT), raise(SIGURG), raise(SIGWINCH)); // nothing happens

  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  action.sa_handler = remember;
  action.sa_flags = SA_RESETHAND;
  printf("%d\n", sigaction(SIGUSR2, &action, &before));
  printf("%d %d\n", before.sa_handler == SIG_DFL, before.sa_flags & SA_SIGINFO);
  raise(SIGUSR2);
  printf("%d %d\n", last == SIGUSR2, signal(SIGUSR2, SIG_IGN) == SIG_DFL);
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  action.sa_sigaction = with_information;
  printf("%d\n", sigaction(SIGUSR2, &action, NULL));
  raise(SIGUSR2);
  printf("%d\n", last == 1001 * SIGUSR2);
  printf("%d %d %d %d\n", sigaction(SIGUSR2, NULL, &before), before.sa_sigaction == with_information,
         (before.sa_flags & (SA_SIGINFO | SA_RESTART)) == (SA_SIGINFO | SA_RESTART), sigismember(&before.sa_mask, SIGINT));
  errno = 0;
  printf("%d %d\n", sigaction(SIGKILL, &action, NULL), errno);
  errno = 0;
  printf("%d %d\n", sigaction(99, &action, NULL), errno);
  signal(SIGUSR2, SIG_DFL);

  sigset_t set;
  printf("%d %d\n", sigfillset(&set), sigismember(&set, SIGTERM));
  printf("%d %d %d\n", sigdelset(&set, SIGTERM), sigismember(&set, SIGTERM), sigismember(&set, SIGHUP));
  errno = 0;
  printf("%d %d\n", sigaddset(&set, 0), errno);
  errno = 0;
  printf("%d %d\n", sigismember(&set, 99), errno);
  printf("%d %d\n", sigemptyset(&set), sigismember(&set, SIGHUP));
}

static int many(void) {
  if (!EXPECT(signal(SIGUSR1, remember) != SIG_ERR, "errno %d", errno))
    return 1;
  for (int i = 0; i < 20; ++i) {
    last = 0;
    errno = 17;
    if (!EXPECT(!raise(SIGUSR1) && errno == 17, "errno %d", errno))
      return 2;
    const int seen = last;
    if (!EXPECT(seen == SIGUSR1 || seen == 0, "%d", seen)) // 0: another thread is at the beginning of this loop
      return 3;
    errno = 0;
    if (!EXPECT(raise(999) == -1 && errno == EINVAL, "errno %d", errno))
      return 4;
    char text[40];
    snprintf(text, sizeof text, "Unknown signal %d", 100 + i);
    if (!EXPECT(!strcmp(strsignal(100 + i), text), "%s", text)) // each thread's own text
      return 5;
  }
  return !EXPECT(calls >= 20, "%d", (int)calls);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "many"))
    return many();
  if (!strcmp(what, "term"))
    return raise(SIGTERM);
  if (!strcmp(what, "kill"))
    return raise(SIGKILL);
  if (!strcmp(what, "abort"))
    abort();
  if (!strcmp(what, "handled")) {
    signal(SIGABRT, say);
    abort();
  }
  if (!strcmp(what, "ignored")) {
    signal(SIGABRT, SIG_IGN);
    abort();
  }
  if (!strcmp(what, "twice")) {
    signal(SIGABRT, abort_again);
    abort();
  }
  masks();
  handlers();
  printf("%d %d %d %d %d\n", FPE_INTDIV, FPE_FLTINV, FPE_FLTSUB, SEGV_ACCERR, BUS_ADRERR);
  for (int i = -1; i < 70; ++i)
    printf("%d %s\n", i, strsignal(i));
  psignal(SIGINT, "before");
  psignal(SIGSEGV, "");
  psignal(SIGSEGV, NULL);
  return 0;
}
