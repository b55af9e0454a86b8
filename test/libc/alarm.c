// alarm(), setitimer() and pause(): without a handler the program ends as by SIGALRM whatever it computes; a handler runs in
// sleep(), nanosleep(), pause() and sigsuspend(), which it ends; what is left of a timer is told.
// RUN: %hostcc -fno-builtin -w %s -o %t.host && bash -c '%t.host; echo end $?' > %t.expected 2> %t.error
// RUN: %gpucc -O2 -w %s -o %t
// RUN: bash -c '%run %t; echo end $?' > %t.out
// RUN: diff %t.expected %t.out
// RUN: not %run --sandbox %t spin > %t.sandbox && grep spinning %t.sandbox
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int rung;
static void ring(int number) { rung += number; }

static int spin(void) {
  puts("spinning");
  fflush(stdout);
  signal(SIGALRM, SIG_DFL);
  ualarm(200000, 0);
  for (volatile unsigned long i = 0;; ++i)
    ;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return spin();
  printf("%u\n", alarm(0));
  printf("%u\n", alarm(100));
  printf("%d\n", alarm(50) >= 99);
  printf("%d\n", alarm(0) >= 49);
  signal(SIGALRM, ring);
  errno = 0;
  alarm(1);
  printf("%d", pause());
  printf(" %d %d\n", errno == EINTR, rung);
  alarm(1);
  printf("%d", sleep(30) >= 28);
  printf(" %d\n", rung);
  struct itimerval often = {{0, 20000}, {0, 20000}}, now;
  printf("%d\n", setitimer(ITIMER_REAL, &often, NULL));
  struct timespec second = {1}, left;
  for (int i = 0; i < 3; ++i)
    printf("%d ", nanosleep(&second, &left));
  printf("%d\n", rung);
  printf("%d %d\n", getitimer(ITIMER_REAL, &now), now.it_interval.tv_usec == 20000);
  often = (struct itimerval){0};
  printf("%d\n", setitimer(ITIMER_REAL, &often, &now));
  printf("%d %d\n", setitimer(77, &often, NULL), errno == EINVAL);
  sigset_t none, alarms;
  sigemptyset(&none);
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarms, NULL);
  alarm(1);
  rung = 0;
  printf("%d", sigsuspend(&none));
  printf(" %d %d\n", errno == EINTR, rung);
  sigprocmask(SIG_UNBLOCK, &alarms, NULL);
  signal(SIGALRM, SIG_IGN);
  ualarm(10000, 0);
  printf("%u\n", sleep(1));
  fflush(stdout);
  if (argv[1])
    return 1;
  freopen("/dev/null", "w", stderr);
  return spin();
}
