// Lanes of a wave that have drifted apart call the host, each in an order of its own: every one gets the answer to what it
// asked for. 4096 threads at once; on the host, one. On NVIDIA such lanes meet again inside the library's shared code.
// RUN: rm -rf %t.h && mkdir -p %t.h
// RUN: %hostcc %s -o %t.host && cd %t.h && %t.host 1 > %t.expected
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: d=$(mktemp -d -p /dev/shm || mktemp -d) && trap "rm -rf $d" EXIT
// RUN: cd $d && %run %t 1 > %t.out && diff %t.expected %t.out
// RUN: d=$(mktemp -d -p /dev/shm || mktemp -d) && trap "rm -rf $d" EXIT
// RUN: cd $d && %run --threads 256 --blocks 16 %t 1 > %t.many && test -z "$(ls)"
// RUN: sort -u %t.many | grep -cx 'thread [0-9]* is done' | grep -x 4096
#include "../Inputs/expect.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int by_value(const void *a, const void *b) { return *(const unsigned *)a > *(const unsigned *)b ? 1 : -1; }

static int own_stream(const char *name, int thread) {
  char text[64], read[64];
  FILE *file = fopen(name, "w+");
  if (!file)
    return 20;
  int wrong = 0, length = snprintf(text, sizeof text, "%*d of %s\n", thread % 20 + 1, thread, name);
  if (fprintf(file, "%*d of %s\n", thread % 20 + 1, thread, name) != length || fputs(text, file) < 0)
    wrong = 21;
  rewind(file);
  for (int i = 0; i < 2; ++i)
    if (!fgets(read, sizeof read, file) || strcmp(text, read))
      wrong = 22;
  if (fgetc(file) != EOF || !feof(file) || fclose(file))
    wrong = 23;
  return remove(name) ? 24 : wrong;
}

static int own_memory(int thread) {
  const size_t size = (size_t)(thread % 7 + 1) * 40;
  unsigned char *block = malloc(size), *other = calloc(3, size);
  if (!block || !other)
    return 25;
  memset(block, thread, size);
  int wrong = 0;
  for (size_t i = 0; i < 3 * size; ++i)
    wrong |= other[i];
  block = realloc(block, 5 * size);
  free(other);
  for (size_t i = 0; i < size; ++i)
    wrong |= block[i] ^ (unsigned char)thread;
  free(block);
  return wrong ? 26 : 0;
}

// localtime and asctime have a result for each thread; the time zone is the host's, where whole minutes stay.
static int own_calendar(int thread) {
  time_t when = 1000000000 + thread * 86400L;
  struct tm *local = localtime(&when);
  if (!local || mktime(local) != when || local->tm_sec != 40)
    return 27;
  char expected[32];
  struct tm utc;
  strftime(expected, sizeof expected, "%a %b %e %H:%M:%S %Y\n", gmtime_r(&when, &utc));
  return strcmp(asctime(gmtime(&when)), expected) ? 28 : 0;
}

static int own_folder(void) {
  DIR *folder = opendir(".");
  if (!folder)
    return 29;
  int found = 0;
  for (struct dirent *entry; (entry = readdir(folder)) && found < 2;)
    found += !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
  return closedir(folder) || found != 2 ? 30 : 0;
}

static int own_words(int thread) {
  char text[64];
  snprintf(text, sizeof text, "%d,,%d;%d", thread, thread + 1, thread * 3);
  const int first = atoi(strtok(text, ",;")), second = atoi(strtok(NULL, ",;")), third = atoi(strtok(NULL, ",;"));
  return first != thread || second != thread + 1 || third != thread * 3 || strtok(NULL, ",;") ? 31 : 0;
}

static int own_numbers(int thread) {
  char text[64];
  snprintf(text, sizeof text, "%.17g", thread / 7.0);
  unsigned values[9];
  for (int i = 0; i < 9; ++i)
    values[i] = (unsigned)(thread * 31 + i * 7919) % 101;
  qsort(values, 9, sizeof *values, by_value);
  for (int i = 1; i < 9; ++i)
    if (values[i - 1] > values[i])
      return 32;
  return strtod(text, NULL) != thread / 7.0 ? 33 : 0;
}

// What is wrong with call `which`, 0 if nothing.
static int one_call(unsigned which, int thread) {
  char name[40], made[] = "madeXXXXXX", text[1024];
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
  case 7:
    return rename("none", name) != -1 || errno != ENOENT ? 14 : 0;
  case 8:
    return own_stream(name, thread);
  case 9:
    return own_memory(thread);
  case 10:
    return own_calendar(thread);
  case 11:
    return !getcwd(text, sizeof text) || text[0] != '/' ? 15 : 0;
  case 12:
    return getpid() <= 0 || getenv("none there") ? 16 : 0;
  case 13:
    return own_folder();
  case 14:
    return own_words(thread);
  default:
    return own_numbers(thread);
  }
}

int main(int argc, char **argv) {
  const int thread = (int)thread_of_the_grid();
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  unsigned random = (unsigned)thread * 2654435761u + 12345;
  for (int i = 0; i < 16 * rounds; ++i) {
    random = random * 1664525 + 1013904223;
    if (random >> 31)
      usleep(random >> 8 & 63);
    const unsigned which = (random >> 20) % 16;
    const int wrong = one_call(which, thread);
    if (wrong) {
      fprintf(stderr, "thread %d, call %d: %u: %d, errno %d\n", thread, i, which, wrong, errno);
      return 1;
    }
  }
  printf("thread %d is done\n", thread);
  return 0;
}
