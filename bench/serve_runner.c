// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts a command for each of many images, by several processes at a time, and
// prints how long each took from start to exit. Python is too slow for that.
//
// usage: serve_runner PROCESSES RUNS IMAGE... -- COMMAND...
//
// Each process takes the next image in turn, RUNS images in all, and runs
// `COMMAND IMAGE`. Where there is a file IMAGE.expected the output must be its
// contents; the status must be 0, or what the environment variable STATUS says.
// Prints: runs, failed, seconds in all, and the times' 50th, 90th and 99th
// percentile and maximum, in milliseconds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
enum { MOST_OUTPUT = 1 << 16, MOST_ARGUMENTS = 64 };

struct shared {
  atomic_int next, failed;
  double milliseconds[];
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

/// What is in IMAGE.expected; -1 when there is no such file.
static ssize_t read_expected(const char *image, char *to) {
  char path[4096];
  snprintf(path, sizeof path, "%s.expected", image);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? -1 : read(file, to, MOST_OUTPUT);
  if (file >= 0)
    close(file);
  return size;
}

/// Runs the command; true when it ended as it should.
static int run(char **command, const char *image, int status) {
  int ends[2];
  static char expected[MOST_OUTPUT], output[MOST_OUTPUT];
  ssize_t size = read_expected(image, expected), got = 0;
  if (pipe2(ends, O_CLOEXEC))
    return 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  pid_t process;
  int failed = posix_spawnp(&process, command[0], &actions, NULL, command, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  for (ssize_t part; !failed && got < MOST_OUTPUT && (part = read(ends[0], output + got, MOST_OUTPUT - got)) > 0;)
    got += part;
  close(ends[0]);
  int ended = 0;
  if (failed || waitpid(process, &ended, 0) < 0)
    return 0;
  int code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
  return code == status && (size < 0 || (size == got && memcmp(output, expected, size) == 0));
}

static int order(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

int main(int argc, char **argv) {
  int processes = argc > 2 ? atoi(argv[1]) : 0, runs = argc > 2 ? atoi(argv[2]) : 0, images = 0;
  char **first = argv + 3;
  while (argc > 3 + images && strcmp(first[images], "--"))
    ++images;
  char **given = first + images + 1, *command[MOST_ARGUMENTS] = {0};
  int words = argc - 4 - images;
  if (processes < 1 || runs < 1 || images < 1 || words < 1 || words > MOST_ARGUMENTS - 2) {
    fprintf(stderr, "usage: serve_runner PROCESSES RUNS IMAGE... -- COMMAND...\n");
    return 2;
  }
  memcpy(command, given, sizeof *command * words);
  int status = getenv("STATUS") ? atoi(getenv("STATUS")) : 0;
  size_t bytes = sizeof(struct shared) + sizeof(double) * runs;
  struct shared *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return 1;
  double begin = now();
  for (int i = 0; i < processes; ++i)
    if (fork() == 0) {
      for (int job; (job = shared->next++) < runs;) {
        command[words] = first[job % images];
        double before = now();
        int right = run(command, first[job % images], status);
        shared->milliseconds[job] = now() - before;
        shared->failed += !right;
      }
      _exit(0);
    }
  while (wait(NULL) > 0)
    ;
  double seconds = (now() - begin) / 1e3;
  qsort(shared->milliseconds, runs, sizeof(double), order);
  double *t = shared->milliseconds;
  printf("%d %d %.3f %.3f %.3f %.3f %.3f\n", runs, shared->failed, seconds, t[runs / 2], t[runs * 9 / 10],
         t[(runs * 99 + 99) / 100 - 1], t[runs - 1]);
  return 0;
}
