// Policies of the host's process, locks of memory, clocks of processes, limits: values and errors as natively.
// RUN: %hostcc -w %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --sandbox %t refused > %t.refused && grep -q 'refused: 1 1 1' %t.refused
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int failed(long result) { return result == -1 ? errno : 0; }

static void policies(void) {
  struct sched_param now = {-1}, bad = {50};
  struct timespec interval = {-1, -1};
  printf("policy: %d %d %d\n", sched_getscheduler(0) == SCHED_OTHER, sched_getparam(0, &now), now.sched_priority);
  printf("set: %d %d\n", sched_setscheduler(getpid(), SCHED_BATCH, &now), sched_getscheduler(0) == SCHED_BATCH);
  printf("back: %d %d\n", sched_setscheduler(0, SCHED_OTHER, &now), sched_setparam(0, &now));
  printf("errors: %d %d %d %d\n", failed(sched_setscheduler(0, SCHED_OTHER, &bad)), failed(sched_setscheduler(0, 77, &now)),
         failed(sched_getscheduler(-1)), failed(sched_setparam(0, NULL)));
  printf("bounds: %d %d %d %d %d %d\n", sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_RR), sched_get_priority_min(SCHED_OTHER),
         sched_get_priority_max(SCHED_BATCH), failed(sched_get_priority_min(77)), failed(sched_get_priority_max(-1)));
  printf("interval: %d %d\n", sched_rr_get_interval(0, &interval), interval.tv_sec >= 0 && interval.tv_nsec >= 0);
  printf("yield: %d\n", sched_yield());
}

static void locks(void) {
  char *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned char pages[2] = {0};
  memory[0] = memory[5000] = 1;
  printf("mlock: %d %d %d\n", mlock(memory, 8192), mlock(memory + 1, 10), munlock(memory, 8192));
  printf("nowhere: %d %d\n", failed(mlock((void *)LONG_MAX, 8)), failed(munlock(NULL, 4096)));
  printf("all: %d %d %d %d\n", failed(mlockall(0)), failed(mlockall(64)), mlockall(MCL_CURRENT), munlockall());
  printf("mincore: %d %d", mincore(memory, 8192, pages), pages[0] & pages[1] & 1);
  printf(" %d\n", failed(mincore(memory + 1, 1, pages)));
}

static void clocks(void) {
  clockid_t clock;
  const struct timespec bad = {0, 1000000000}, negative = {-1, 0};
  printf("clock: %d %d %d\n", clock_getcpuclockid(0, &clock), clock_getcpuclockid(getpid(), &clock), clock_getcpuclockid(999999, &clock));
  printf("set: %d %d\n", failed(clock_settime(CLOCK_REALTIME, &bad)), failed(clock_settime(CLOCK_MONOTONIC, &negative)));
  printf("sleep: %d %d %d\n", clock_nanosleep(CLOCK_REALTIME, 0, &bad, NULL), clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &negative, NULL),
         clock_nanosleep(CLOCK_MONOTONIC, 0, &negative, NULL));
}

static void limits(void) {
  struct rlimit limit = {20, 30}, now;
  printf("limit: %d", setrlimit(RLIMIT_NOFILE, &limit));
  int highest = -1;
  for (int fd; (fd = dup(1)) >= 0;)
    highest = fd;
  printf(" %d %d", highest, errno);
  printf(" %d", failed(fcntl(1, F_DUPFD, 20)));
  printf(" %d\n", failed(dup2(1, 20)));
  getrlimit(RLIMIT_NOFILE, &now);
  printf("now: %d %d\n", (int)now.rlim_cur, (int)now.rlim_max);
  limit.rlim_cur = 25;
  printf("raised: %d %d\n", setrlimit(RLIMIT_NOFILE, &limit), dup(1));
  limit.rlim_cur = 31;
  printf("errors: %d %d\n", failed(setrlimit(RLIMIT_NOFILE, &limit)), failed(setrlimit(99, &limit)));
  limit = (struct rlimit){1 << 20, RLIM_INFINITY};
  printf("memory: %d", setrlimit(RLIMIT_DATA, &limit));
  void *volatile block = malloc(64 << 20); // not for the compiler to remove
  printf(" %d\n", block == NULL);
}

int main(int argc, char **argv) {
  struct sched_param real_time = {1};
  if (argc > 1)
    return !printf("refused: %d %d %d\n", failed(sched_setscheduler(0, SCHED_FIFO, &real_time)) == EPERM, sched_getscheduler(0) == SCHED_OTHER,
                   failed(sched_getscheduler(1)) == ESRCH);
  printf("key: %d %d\n", ftok("/", 7) == ftok("/", 263), failed(ftok("/no such file", 1)));
  policies();
  locks();
  clocks();
  limits();
}
