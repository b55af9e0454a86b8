// timer_create and its family: one expiry, many, overruns, an absolute time, what is left, SIGEV_NONE, SIGEV_THREAD, errors.
// RUN: %hostcc -pthread %s -o %t.host -lrt && %t.host > %t.expected
// RUN: %gpucc -pthread -O2 %s -o %t
// RUN: %run %t | diff %t.expected -
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t calls, value, code;
static volatile int told;
static void count(int number, siginfo_t *info, void *context) {
  calls = calls + 1;
  value = info->si_value.sival_int;
  code = info->si_code;
}
static void by_thread(union sigval with) { told = with.sival_int; }

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}
static struct itimerspec times(double first, double next) {
  return (struct itimerspec){.it_value = {(time_t)first, (long)((first - (time_t)first) * 1e9)},
                             .it_interval = {(time_t)next, (long)((next - (time_t)next) * 1e9)}};
}

int main(void) {
  struct sigaction action = {.sa_sigaction = count, .sa_flags = SA_SIGINFO};
  sigaction(SIGRTMIN, &action, NULL);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 42};
  timer_t timer;
  struct itimerspec wanted = times(0.4, 0), left;
  printf("%d", timer_create(CLOCK_MONOTONIC, &event, &timer));
  printf(" %d\n", timer_settime(timer, 0, &wanted, NULL));
  timer_gettime(timer, &left);
  printf("left: %d\n", left.it_value.tv_sec == 0 && left.it_value.tv_nsec > 0 && left.it_value.tv_nsec <= 400000000);
  const double begin = now(CLOCK_MONOTONIC);
  pause();
  printf("%d call, %d, by a timer %d, not too early %d\n", calls, value, code == SI_TIMER, now(CLOCK_MONOTONIC) - begin > 0.3);
  timer_gettime(timer, &left);
  printf("set no more: %d\n", !left.it_value.tv_sec && !left.it_value.tv_nsec);

  wanted = times(0.01, 0.02);
  timer_settime(timer, 0, &wanted, NULL);
  calls = 0;
  while (calls < 4)
    pause();
  wanted = times(0, 0);
  timer_settime(timer, 0, &wanted, &left);
  printf("again and again: %d, each %ld ms\n", calls >= 4, left.it_interval.tv_nsec / 1000000);

  // While its signal is blocked, further expiries are overruns.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &set, NULL);
  wanted = times(0.01, 0.01);
  timer_settime(timer, 0, &wanted, NULL);
  const struct timespec while_ = {0, 105000000};
  nanosleep(&while_, NULL);
  calls = 0;
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  const int first = calls;
  wanted = times(0, 0);
  timer_settime(timer, 0, &wanted, NULL);
  printf("blocked: %d\n", first >= 1);

  wanted = times(now(CLOCK_REALTIME) + 0.4, 0);
  timer_t absolute;
  timer_create(CLOCK_REALTIME, &event, &absolute);
  calls = 0;
  timer_settime(absolute, TIMER_ABSTIME, &wanted, NULL);
  pause();
  printf("absolute: %d\n", calls);

  event.sigev_notify = SIGEV_NONE;
  timer_t silent;
  timer_create(CLOCK_MONOTONIC, &event, &silent);
  wanted = times(0.01, 0);
  timer_settime(silent, 0, &wanted, NULL);
  usleep(30000);
  timer_gettime(silent, &left);
  printf("silent: %d, over %d\n", calls, !left.it_value.tv_nsec);

  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = by_thread;
  event.sigev_value.sival_int = 17;
  timer_t thread;
  printf("%d\n", timer_create(CLOCK_MONOTONIC, &event, &thread));
  timer_settime(thread, 0, &wanted, NULL);
  while (!told)
    usleep(1000);
  printf("by a thread: %d\n", told);

  printf("deleted: %d", timer_delete(thread));
  errno = 0;
  event.sigev_notify = 99;
  printf(" wrong: %d", timer_create(CLOCK_MONOTONIC, &event, &thread));
  printf(" %d", errno == EINVAL);
  wanted.it_value.tv_nsec = 1000000000;
  errno = 0;
  printf(" %d", timer_settime(timer, 0, &wanted, NULL));
  printf(" %d\n", errno == EINVAL);
  return 0;
}
