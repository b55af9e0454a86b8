// Named semaphores of the host: one address for one name, errors, times, a process of the host that posts; and that a sandbox has
// none.
// RUN: %hostcc -w %s -o %t.host -pthread && %t.host %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %run %t %t.host > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --sandbox %t refused > %t.refused && grep -q 'refused: 1' %t.refused
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char name[64];

static int failed(int result) { return result == -1 ? errno : 0; }
static int not_opened(sem_t *semaphore) { return semaphore == SEM_FAILED ? errno : 0; }

static int value(sem_t *semaphore) {
  int now = -1;
  sem_getvalue(semaphore, &now);
  return now;
}

int main(int argc, char **argv) {
  const struct timespec past = {1, 0}, none = {1, -1};
  char command[512];
  if (argc > 2)
    return sem_post(sem_open(argv[2], 0));
  snprintf(name, sizeof name, "/gpuexec-%d", getpid());
  if (!strcmp(argv[1], "refused"))
    return !printf("refused: %d\n", not_opened(sem_open(name, O_CREAT, 0600, 1)) == EPERM);
  printf("missing: %d\n", not_opened(sem_open(name, 0)));
  sem_t *semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 2);
  printf("new: %d, again: %d %d\n", value(semaphore), sem_open(name, 0) == semaphore, not_opened(sem_open(name, O_CREAT | O_EXCL, 0600, 1)));
  printf("names: %d %d %d\n", not_opened(sem_open("/a/b", O_CREAT, 0600, 1)), not_opened(sem_open("", O_CREAT, 0600, 1)),
         not_opened(sem_open("/gpuexec-x", O_CREAT, 0600, 0x80000000u)));
  printf("wait: %d %d %d\n", sem_wait(semaphore), sem_trywait(semaphore), value(semaphore));
  printf("none: %d %d %d\n", failed(sem_trywait(semaphore)), failed(sem_timedwait(semaphore, &past)), failed(sem_timedwait(semaphore, &none)));
  struct timespec soon;
  clock_gettime(CLOCK_MONOTONIC, &soon);
  printf("clock: %d\n", failed(sem_clockwait(semaphore, CLOCK_MONOTONIC, &soon)));
  snprintf(command, sizeof command, "(sleep 0.1; exec %s post %s) &", argv[1], name);
  system(command);
  printf("posted: %d %d\n", sem_wait(semaphore), value(semaphore));
  printf("post: %d %d\n", sem_post(semaphore), value(semaphore));
  printf("unlink: %d %d\n", sem_unlink(name), failed(sem_unlink(name)));
  printf("still: %d\n", value(semaphore));
  sem_t *other = sem_open(name, O_CREAT, 0600, 9);
  printf("other: %d %d\n", other != semaphore, value(other));
  printf("close: %d %d %d\n", sem_close(semaphore), sem_close(semaphore), sem_close(other));
  sem_unlink(name);
}
