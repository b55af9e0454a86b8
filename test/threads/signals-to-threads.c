// Signals for one thread: pthread_kill; sigwait, sigtimedwait, sigwaitinfo; sigqueue with values, in order; waits that a handler ends or
// does not end; a thread that is gone.
// RUN: %hostcc -pthread %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -pthread -O2 %s -o %t
// RUN: %run %t | diff %t.expected -
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sem_t begun, nothing;
static volatile sig_atomic_t calls;
static pthread_t handled_in;
static int values[8], count;

static void note(int number) {
  calls = calls + 1;
  handled_in = pthread_self();
}
static void take_value(int number, siginfo_t *info, void *context) {
  values[count++] = info->si_value.sival_int * 1000 + (info->si_code == SI_QUEUE) * 100 + (info->si_pid == getpid()) * 10 + number - SIGRTMIN;
}

static void *wait_on(void *how) {
  sem_post(&begun);
  errno = 0;
  const int result = strcmp(how, "semaphore") ? pause() : sem_wait(&nothing);
  return (void *)(long)(result == -1 && errno == EINTR);
}
static void interrupt(const char *how, int flags) {
  struct sigaction action = {.sa_handler = note, .sa_flags = flags};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t thread;
  void *interrupted;
  calls = 0;
  pthread_create(&thread, NULL, wait_on, (void *)how);
  sem_wait(&begun);
  usleep(20000);
  const int error = pthread_kill(thread, SIGUSR1);
  while (!calls)
    usleep(1000);
  usleep(20000);
  sem_post(&nothing);
  pthread_join(thread, &interrupted);
  while (!sem_trywait(&nothing))
    ;
  printf("%s %d: %d, %d call, in the thread %d, interrupted %ld\n", how, flags != 0, error, calls, handled_in == thread, (long)interrupted);
}

static void *take(void *set) {
  int number = 0;
  sem_post(&begun);
  const int error = sigwait(set, &number);
  return (void *)(long)(error * 1000 + number);
}

int main(void) {
  sem_init(&begun, 0, 0);
  sem_init(&nothing, 0, 0);
  interrupt("semaphore", 0);
  interrupt("semaphore", SA_RESTART);
  interrupt("pause", SA_RESTART);
  pthread_kill(pthread_self(), SIGUSR1);
  printf("itself: %d, none: %d, wrong: %d\n", calls, pthread_kill(pthread_self(), 0), pthread_kill(pthread_self(), 1000) == EINVAL);

  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  for (int i = 0; i < 3; ++i)
    sigaddset(&set, SIGRTMIN + i);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t thread;
  void *taken;
  pthread_create(&thread, NULL, take, &set);
  sem_wait(&begun);
  pthread_kill(thread, SIGUSR2);
  pthread_join(thread, &taken);
  printf("sigwait: %d\n", (long)taken == SIGUSR2);

  // Values, the lowest number first, of each in order.
  for (int i = 0; i < 3; ++i) {
    sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = i});
    sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 10 + i});
  }
  sigpending(&pending);
  printf("pending: %d %d %d\n", sigismember(&pending, SIGRTMIN), sigismember(&pending, SIGRTMIN + 1), sigismember(&pending, SIGRTMIN + 2));
  siginfo_t info;
  const struct timespec moment = {0, 20000000};
  for (int i = 0; i < 2; ++i) {
    const int number = sigtimedwait(&set, &info, &moment);
    printf("taken: %d %d %d\n", number - SIGRTMIN, info.si_value.sival_int, info.si_code == SI_QUEUE);
  }
  struct sigaction action = {.sa_sigaction = take_value, .sa_mask = set, .sa_flags = SA_SIGINFO};
  sigaction(SIGRTMIN, &action, NULL);
  sigaction(SIGRTMIN + 1, &action, NULL);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  for (int i = 0; i < count; ++i)
    printf("value %d\n", values[i]);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  errno = 0;
  printf("none: %d", sigtimedwait(&set, &info, &moment));
  printf(" %d\n", errno == EAGAIN);
  sigqueue(getpid(), SIGRTMIN + 2, (union sigval){.sival_int = 7});
  printf("waited for: %d", sigwaitinfo(&set, &info) - SIGRTMIN);
  printf(" %d\n", info.si_value.sival_int);
  errno = 0;
  printf("wrong: %d", sigqueue(getpid(), 1000, (union sigval){0}));
  printf(" %d\n", errno == EINVAL);
  return 0;
}
