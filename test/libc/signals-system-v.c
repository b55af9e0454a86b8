// sigset, sighold, sigrelse, sigignore, sigpause; sigaltstack keeps what it gets; SA_RESTART by siginterrupt.
// RUN: %hostcc -w %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -w -O2 %s -o %t
// RUN: %run %t | diff %t.expected -
#define _GNU_SOURCE
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t calls;
static void note(int number) { calls = calls + number; }

int main(void) {
  printf("%d", sigset(SIGUSR1, note) == SIG_DFL);
  raise(SIGUSR1);
  printf(" %d", calls == SIGUSR1);
  printf(" %d", sighold(SIGUSR1));
  raise(SIGUSR1);
  printf(" %d", calls == SIGUSR1);
  printf(" %d", sigset(SIGUSR1, SIG_HOLD) == SIG_HOLD);
  printf(" %d", sigrelse(SIGUSR1));
  printf(" %d\n", calls == 2 * SIGUSR1);
  printf("%d", sigset(SIGUSR1, SIG_HOLD) == note);
  raise(SIGUSR1);
  errno = 0;
  const int paused = sigpause(SIGUSR1);
  printf(" %d %d %d", paused, errno == EINTR, calls == 3 * SIGUSR1);
  printf(" %d\n", sigset(SIGUSR1, note) == SIG_HOLD);
  printf("%d", sigignore(SIGUSR1));
  raise(SIGUSR1);
  printf(" %d", calls == 3 * SIGUSR1);
  errno = 0;
  printf(" %d %d", sighold(1000), errno == EINVAL);
  errno = 0;
  printf(" %d %d", sigset(SIGKILL, note) == SIG_ERR, errno == EINVAL);
  errno = 0;
  printf(" %d %d\n", sigignore(SIGKILL), errno == EINVAL);

  struct sigaction action;
  signal(SIGUSR2, note);
  sigaction(SIGUSR2, NULL, &action);
  printf("%d", (action.sa_flags & SA_RESTART) != 0);
  siginterrupt(SIGUSR2, 1);
  sigaction(SIGUSR2, NULL, &action);
  printf(" %d\n", (action.sa_flags & SA_RESTART) != 0);

  stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536}, before;
  printf("%d", sigaltstack(NULL, &before));
  printf(" %d", before.ss_flags == SS_DISABLE);
  printf(" %d", sigaltstack(&stack, NULL));
  printf(" %d", sigaltstack(NULL, &before));
  printf(" %d %d %d\n", before.ss_sp == stack.ss_sp, before.ss_size == 65536, before.ss_flags);
  stack.ss_size = 16;
  errno = 0;
  printf("%d %d", sigaltstack(&stack, NULL), errno == ENOMEM);
  stack.ss_flags = 64;
  errno = 0;
  printf(" %d %d\n", sigaltstack(&stack, NULL), errno == EINVAL);
  return 0;
}
