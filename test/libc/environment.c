// stdlib.h's environment, unistd.h's and stdlib.h's process, time.h's clocks: the program's own, then 4096 threads each with
// variables of its own.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && env -i ONE=1 TWO=two EMPTY= %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t -lm
// RUN: env -i ONE=1 TWO=two EMPTY= %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 256 --blocks 16 %t many
#define _GNU_SOURCE
#define OWN_MAIN
#include "libc_test.h"
#include <sys/time.h>
#include <sys/timeb.h>
#include <time.h>
#include <unistd.h>

static const char *value(const char *name) {
  const char *found = getenv(name);
  return found ? found : "(none)";
}

static int variables(unsigned thread) {
  static char texts[128][64]; // not on the stack: other threads read it
  char name[32], *text = texts[thread / 40 % 128], expected[64];
  snprintf(name, sizeof name, "OWN%u", thread);
  for (int i = 0; i < 3; ++i) {
    snprintf(expected, sizeof expected, "value %u %d", thread, i);
    if (setenv(name, expected, 1))
      return 1;
    if (strcmp(value(name), expected))
      return 2;
  }
  if (setenv(name, "not this", 0) || strcmp(value(name), expected))
    return 3;
  snprintf(text, sizeof texts[0], "OWN%u=put", thread);
  if (putenv(text) || strcmp(value(name), "put"))
    return 4;
  return unsetenv(name) || getenv(name) ? 5 : 0;
}

static int clocks(void) {
  struct timespec before, after, resolution, nothing = {0, 1000};
  if (clock_gettime(CLOCK_MONOTONIC, &before) || nanosleep(&nothing, NULL) || clock_gettime(CLOCK_MONOTONIC, &after))
    return 11;
  if (after.tv_sec < before.tv_sec || (after.tv_sec == before.tv_sec && after.tv_nsec < before.tv_nsec + 1000))
    return 12;
  if (clock_getres(CLOCK_REALTIME, &resolution) || resolution.tv_sec || resolution.tv_nsec <= 0 || clock_getres(CLOCK_MONOTONIC, NULL))
    return 13;
  for (clockid_t clock = CLOCK_REALTIME; clock <= CLOCK_BOOTTIME; ++clock)
    if (clock_gettime(clock, &before) || clock_getres(clock, &resolution) || clock_gettime(clock, &after) ||
        after.tv_sec < before.tv_sec || (after.tv_sec == before.tv_sec && after.tv_nsec < before.tv_nsec))
      return 20 + clock;
  struct timeval day;
  const time_t now = time(NULL);
  if (gettimeofday(&day, NULL) || now < 1700000000 || day.tv_sec < now || timespec_get(&after, TIME_UTC) != TIME_UTC || after.tv_sec < now)
    return 14;
  struct timeb milliseconds;
  if (ftime(&milliseconds) || milliseconds.time < now || milliseconds.millitm > 999)
    return 19;
  if (timespec_get(&after, 77) || clock() == (clock_t)-1)
    return 15;
  errno = 0;
  struct timespec wrong = {0, 1000000000};
  if (nanosleep(&wrong, NULL) != -1 || errno != EINVAL)
    return 16;
  errno = 0;
  if (clock_gettime(1234, &after) != -1 || errno != EINVAL)
    return 17;
  return usleep(1) || sleep(0) ? 18 : 0;
}

static int identity(void) {
  char name[256];
  if (getpid() <= 0 || getppid() < 0 || getuid() != geteuid() || getgid() != getegid() || gethostname(name, sizeof name) || !*name)
    return 21;
  if (sysconf(_SC_PAGESIZE) < 4096 || sysconf(_SC_NPROCESSORS_ONLN) < 1 || sysconf(_SC_OPEN_MAX) < 16)
    return 22;
  errno = 0;
  return sysconf(98765) != -1 || errno != EINVAL ? 23 : 0;
}

static void run(struct test *t) {
  out(t, "%s|%s|%s|%s|%s", value("ONE"), value("TWO"), value("EMPTY"), value("ON"), value(""));
  out(t, "%d %s", setenv("ONE", "other", 0), value("ONE"));
  out(t, "%d %s", setenv("ONE", "other", 1), value("ONE"));
  out(t, "%d %s", setenv("NEW", "", 1), value("NEW"));
  static const char *const wrong[] = {"", "A=B", "="};
  for (int i = 0; i < 3; ++i) {
    errno = 0;
    int set = setenv(wrong[i], "x", 1);
    int error = errno;
    errno = 0;
    int unset = unsetenv(wrong[i]);
    out(t, "%d %d %d %d", set, error, unset, errno);
  }
  static char put[] = "PUT=by reference";
  out(t, "%d %s", putenv(put), value("PUT"));
  put[4] = 'B';
  out(t, "%s", value("PUT"));
  char without[] = "TWO";
  out(t, "%d %s", putenv(without), value("TWO"));
  out(t, "%d %d", unsetenv("ONE"), unsetenv("ONE"));
  out(t, "%s %s", value("ONE"), value("NEW"));
  int count = 0;
  for (char **at = environ; *at; ++at)
    count += !strncmp(*at, "NEW=", 4) || !strncmp(*at, "PUT=", 4) || !strncmp(*at, "EMPTY=", 6);
  out(t, "%d", count);
  out(t, "%d %d %s", clearenv(), environ == NULL || *environ == NULL, value("NEW"));
  out(t, "%d %s", setenv("AFTER", "clearing", 1), value("AFTER"));
  out(t, "%d %d", clocks(), identity());
}

int main(int argc, char **argv) {
  static unsigned threads;
  if (argc == 1)
    return test_main(argc, argv);
  // One at a time changes the environment, all of which is looked through: not all of the threads do it.
  const unsigned thread = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
  int status = thread % 40 ? getenv("NEVER SET") != NULL : variables(thread);
  if (!status)
    status = clocks();
  return status ? status : identity();
}
