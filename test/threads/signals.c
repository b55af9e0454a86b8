// Signals of a program with threads: kill() of the program itself in a thread that blocks the signal reaches a thread that waits for
// it in sigsuspend(), or that unblocks it; a thread begins with its creator's mask; raise() stays in the thread.
// RUN: %hostcc -pthread %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -pthread -O2 %s -o %t
// RUN: %run %t | diff %t.expected -
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t user1, user2;
static pthread_t handled_in;
static void count1(int number) {
  user1 = user1 + 1;
  handled_in = pthread_self();
}
static void count2(int number) {
  user2 = user2 + 1;
  handled_in = pthread_self();
}

static void *send(void *number) {
  sigset_t mine;
  pthread_sigmask(SIG_SETMASK, NULL, &mine);
  kill(getpid(), *(int *)number);
  return (void *)(long)(sigismember(&mine, SIGUSR1) * 10 + sigismember(&mine, SIGUSR2));
}

static void wait_for(int number, const sigset_t *mask) {
  pthread_t sender;
  void *masks;
  pthread_create(&sender, NULL, send, &number);
  errno = 0;
  const int result = sigsuspend(mask);
  const int error = errno;
  pthread_join(sender, &masks);
  printf("%d %d: %d %d, in main: %d, masks %ld\n", result, error == EINTR, user1, user2, handled_in == pthread_self(),
         (long)masks);
}

static void *raise_own(void *barrier) {
  sigset_t pending;
  raise(SIGUSR2);
  sigpending(&pending);
  pthread_barrier_wait(barrier);
  return (void *)(long)sigismember(&pending, SIGUSR2);
}

int main(void) {
  signal(SIGUSR1, count1);
  signal(SIGUSR2, count2);
  sigset_t both, none, pending;
  sigemptyset(&none);
  sigemptyset(&both);
  sigaddset(&both, SIGUSR1);
  sigaddset(&both, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &both, NULL);
  wait_for(SIGUSR1, &none);
  wait_for(SIGUSR2, &none);

  // Blocked by all: it waits, once, for who unblocks it.
  kill(getpid(), SIGUSR1);
  kill(getpid(), SIGUSR1);
  sigpending(&pending);
  printf("waits: %d %d, %d\n", sigismember(&pending, SIGUSR1), sigismember(&pending, SIGUSR2), user1);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  printf("unblocked: %d\n", user1);

  // Of a thread: main, which does not block it, does not see it.
  pthread_t other;
  pthread_barrier_t barrier;
  void *was_pending;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_sigmask(SIG_BLOCK, &both, NULL);
  pthread_create(&other, NULL, raise_own, &barrier);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  pthread_barrier_wait(&barrier);
  pthread_join(other, &was_pending);
  printf("own: %ld, %d\n", (long)was_pending, user2);
  return 0;
}
