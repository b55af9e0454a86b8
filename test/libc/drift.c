// Lanes of a wave that have drifted apart call the host, each in an order of its own: every one gets the answer to what it
// asked for. 4096 threads at once; on the host, one. On NVIDIA such lanes meet again inside the library's shared code.
// RUN: rm -rf %t.h && mkdir -p %t.h
// RUN: %hostcc %s -o %t.host && cd %t.h && %t.host 1 > %t.expected
// RUN: %gpucc -O2 %s -o %t
// RUN: d=$(mktemp -d -p /dev/shm || mktemp -d) && trap "rm -rf $d" EXIT
// RUN: cd $d && %run %t 1 > %t.out && diff %t.expected %t.out
// RUN: d=$(mktemp -d -p /dev/shm || mktemp -d) && trap "rm -rf $d" EXIT
// RUN: cd $d && %run --threads 256 --blocks 16 %t 2 && test -z "$(ls)"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int threads;

// What is wrong with call `which`, 0 if nothing.
static int one_call(unsigned which, int thread) {
  char name[40], made[] = "madeXXXXXX";
  struct stat facts;
  int file, wrong = 0;
  snprintf(name, sizeof name, "own%d", thread);
  errno = 0;
  switch (which) {
  case 0:
    if (mkdir(name, 0700))
      return 1;
    if (stat(name, &facts) || !S_ISDIR(facts.st_mode))
      wrong = 2;
    return rmdir(name) ? 3 : wrong;
  case 1:
    return rmdir(name) != -1 || errno != ENOENT ? 4 : 0;
  case 2:
    file = mkstemp(made);
    if (file < 0 || !strcmp(made, "madeXXXXXX"))
      return 5;
    if (write(file, name, strlen(name)) != (ssize_t)strlen(name))
      wrong = 6;
    if (fstat(file, &facts) || facts.st_size != (off_t)strlen(name))
      wrong = 7;
    if (close(file))
      wrong = 8;
    return unlink(made) ? 9 : wrong;
  case 3:
    return open("none/none", O_RDONLY) != -1 || errno != ENOENT ? 10 : 0;
  case 4:
    return !mkdtemp(strcpy(name, "d.XXXXXX")) || rmdir(name) ? 11 : 0;
  case 5:
    return close(-1) != -1 || errno != EBADF ? 12 : 0;
  case 6:
    return access(".", R_OK) ? 13 : 0;
  default:
    return rename("none", name) != -1 || errno != ENOENT ? 14 : 0;
  }
}

int main(int argc, char **argv) {
  const int thread = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  unsigned random = (unsigned)thread * 2654435761u + 12345;
  for (int i = 0; i < 8 * rounds; ++i) {
    random = random * 1664525 + 1013904223;
    if (random >> 31)
      usleep(random >> 8 & 63);
    const unsigned which = (random >> 20) % 8;
    const int wrong = one_call(which, thread);
    if (wrong) {
      fprintf(stderr, "thread %d, call %d: %u: %d, errno %d\n", thread, i, which, wrong, errno);
      return 1;
    }
  }
  if (!thread)
    puts("the first thread is done");
  return 0;
}
