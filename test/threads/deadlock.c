// When all threads wait for one another the program ends, and says which thread waits where. One that sleeps, waits for its host
// or for a time, is not taken for one that will never go on.
// RUN: %gpucc -O2 -w -pthread %s -o %t
// RUN: not %run %t locks 2> %t.locks; FileCheck --check-prefix=LOCKS %s < %t.locks
// LOCKS: deadlock: all threads wait for one another
// LOCKS-NEXT: thread 2 in pthread_mutex_lock, for a mutex that thread 1 holds
// LOCKS-NEXT: thread 1 'main' in pthread_mutex_lock, for a mutex that thread 2 holds
// RUN: not %run %t join 2> %t.join; FileCheck --check-prefix=JOIN %s < %t.join
// JOIN: deadlock: all threads wait for one another
// JOIN-NEXT: thread 2 'waiter' in pthread_cond_wait
// JOIN-NEXT: thread 1 'main' in pthread_join, for thread 2
// RUN: not %run %t self 2> %t.self; FileCheck --check-prefix=SELF %s < %t.self
// SELF: deadlock: all threads wait for one another
// SELF-NEXT: thread 1 'main' in pthread_mutex_lock, for a mutex that thread 1 holds
// RUN: not %run %t ended 2> %t.ended; FileCheck --check-prefix=ENDED %s < %t.ended
// ENDED: gpuexec: deadlock: all threads wait for one another
// ENDED-NEXT: thread 3 in pthread_mutex_lock, for a mutex held by thread 2, which has ended
// ENDED-NEXT: thread 1 'main' in pthread_join, for thread 3
// RUN: echo line | %run %t none | grep -qx 'line 1'
// With -g it says on which lines; a call without a line, in a file compiled without -g, says none.
// RUN: %gpucc -O2 -g -w -pthread %s -o %t.lines
// RUN: not %run %t.lines join 2> %t.join; FileCheck --check-prefix=LINES %s < %t.join
// RUN: %gpucc -O0 -g -w -pthread %s -o %t.lines
// RUN: not %run %t.lines join 2> %t.join; FileCheck --check-prefix=LINES %s < %t.join
// RUN: %gpucc -O2 -w -pthread -c -DWAITER %s -o %t.waiter.o
// RUN: %gpucc -O2 -g -w -pthread -DOTHERS %s %t.waiter.o -o %t.both
// RUN: not %run %t.both join 2> %t.join; FileCheck --check-prefix=BOTH %s < %t.join
// RUN: %gpucc --arch sm_90 -O2 -g -w -pthread %s -o %t.cuda
// LINES: thread 2 'waiter' in pthread_cond_wait at {{.*}}deadlock.c:[[# @LINE + 19]]{{$}}
// LINES-NEXT: thread 1 'main' in pthread_join at {{.*}}deadlock.c:[[# @LINE + 58]], for thread 2
// BOTH: thread 2 'waiter' in pthread_cond_wait{{$}}
// BOTH-NEXT: thread 1 'main' in pthread_join at {{.*}}deadlock.c:{{[0-9]+}}, for thread 2
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

extern pthread_mutex_t first;
extern pthread_cond_t condition;
void *wait_for_nobody(void *);

#ifndef OTHERS
void *wait_for_nobody(void *argument) {
  pthread_setname_np(pthread_self(), "waiter");
  pthread_mutex_lock(&first);
  for (;;)
    pthread_cond_wait(&condition, &first);
}
#endif

#ifndef WAITER
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static sem_t both;

static void *lock_second(void *argument) {
  pthread_mutex_lock(&second);
  sem_post(&both);
  pthread_mutex_lock(&first);
  return NULL;
}
static void *read_line(void *argument) {
  static char line[100];
  fgets(line, sizeof line, stdin);
  struct timespec span = {0, 200000000};
  nanosleep(&span, NULL);
  line[strcspn(line, "\n")] = 0;
  pthread_mutex_lock(&first);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&first);
  return line;
}

static void *lock_and_end(void *argument) { return pthread_mutex_lock(&first) ? argument : NULL; }

int main(int argc, char **argv) {
  pthread_t thread;
  if (!strcmp(argv[1], "locks")) {
    sem_init(&both, 0, 0);
    pthread_mutex_lock(&first);
    pthread_create(&thread, NULL, lock_second, NULL);
    sem_wait(&both);
    pthread_mutex_lock(&second);
  } else if (!strcmp(argv[1], "join")) {
    pthread_create(&thread, NULL, wait_for_nobody, NULL);
    pthread_join(thread, NULL);
  } else if (!strcmp(argv[1], "self")) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&first);
  } else if (!strcmp(argv[1], "ended")) { // the second thread runs in the wave of the first
    for (int i = 0; i < 2; ++i) {
      pthread_create(&thread, NULL, lock_and_end, NULL);
      pthread_join(thread, NULL);
    }
  } else {
    void *line;
    pthread_mutex_lock(&first);
    pthread_create(&thread, NULL, read_line, NULL);
    pthread_cond_wait(&condition, &first);
    pthread_mutex_unlock(&first);
    pthread_join(thread, &line);
    printf("%s 1\n", (char *)line);
  }
  return 0;
}
#endif
