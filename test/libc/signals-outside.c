// Signals that gpuexec gets reach the program's handlers: in sleep, read, fgets, poll, a wait for a thread; with and without SA_RESTART;
// ignored ones do nothing, and default actions end the program.
// RUN: %hostcc -pthread %s -o %t.host
// RUN: %gpucc -pthread -O2 %s -o %t
// RUN: %python %inputs/send_signals.py USR1,USR2,USR1,=line,USR1,=rest,USR2,HUP,USR1,TERM %t.host > %t.expected
// RUN: %python %inputs/send_signals.py USR1,USR2,USR1,=line,USR1,=rest,USR2,HUP,USR1,TERM %run %t > %t.out
// RUN: diff %t.expected %t.out && grep 'status 143' %t.out
// RUN: %python %inputs/send_signals.py INT %run %t int | grep 'status 7'
// A program that computes and never looks ends when it is asked for the third time.
// RUN: %python %inputs/send_signals.py INT+INT+INT %run %t never | grep 'status 130'
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t last;
static void note(int number) { last = number; }
static void leave(int number) { exit(7); }

static void ask(const char *what) {
  printf("%s?\n", what);
  fflush(stdout);
}
static void *wait_for(void *unused) {
  while (last != SIGUSR1)
    usleep(1000);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "int")) {
    signal(SIGINT, leave);
    ask("int");
    for (;;)
      pause();
  }
  if (argc > 1) {
    signal(SIGINT, note);
    ask("never");
    unsigned long x = argc;
    for (unsigned long i = 0; i < 1ul << 60; ++i) // nothing volatile: no pass makes it look
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return (int)x;
  }
  struct sigaction action = {.sa_handler = note};
  sigaction(SIGUSR1, &action, NULL);
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR2, &action, NULL);
  signal(SIGHUP, SIG_IGN);

  ask("sleep");
  const unsigned left = sleep(100);
  printf("%d, much is left: %d\n", last == SIGUSR1, left > 50);
  ask("pause");
  pause();
  printf("%d\n", last == SIGUSR2);

  char text[16] = "";
  ask("read");
  errno = 0;
  const ssize_t got = read(0, text, sizeof text);
  printf("%zd %d %d\n", got, errno == EINTR, last == SIGUSR1);
  ask("line");
  printf("%zd\n", read(0, text, sizeof text));
  ask("poll");
  struct pollfd file = {0, POLLIN, 0};
  errno = 0;
  const int ready = poll(&file, 1, -1);
  printf("%d %d %d\n", ready, errno == EINTR, last == SIGUSR1);
  ask("fgets");
  printf("%d", fgets(text, sizeof text, stdin) != NULL);
  printf(" %s", text);
  // A handler with SA_RESTART: the read goes on.
  ask("pause");
  pause();
  printf("%d\n", last == SIGUSR2);

  ask("ignored");
  usleep(50000);
  last = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for, NULL);
  ask("thread");
  pthread_join(thread, NULL);
  printf("%d\n", last == SIGUSR1);
  ask("end");
  for (;;)
    pause();
}
