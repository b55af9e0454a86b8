// sys/mman.h: memory without a file, files as memory, private and shared, in parts, and what is refused, in an empty folder.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -w -I%source/test/libc %s -o %t.host && cd %t.h && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out && cmp %t.h/at-exit %t.d/at-exit
// RUN: d=$(mktemp -d -p /dev/shm || mktemp -d) && trap "rm -rf $d" EXIT
// RUN: cd $d && %run --threads 256 --blocks 16 %t $(tail -1 %t.expected) && test -z "$(ls)"
#define _GNU_SOURCE
#define SLICES 8
#include "libc_test.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int new_file(const char *name, int size) {
  int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  char text[5000];
  for (int i = 0; i < size; ++i)
    text[i] = (char)('a' + i % 26);
  write(fd, text, (size_t)size);
  return fd;
}

static void anonymous(struct test *t) {
  char *memory = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int sum = 0;
  for (int i = 0; i < 12288; ++i)
    sum |= memory[i];
  out(t, "%d %d", sum, (int)((unsigned long)memory % 4096));
  memset(memory, 1, 12288);
  SHOW_RESULT(munmap(memory + 4096, 4096)); // the middle
  out(t, "%d %d", memory[0], memory[8192]);
  SHOW_RESULT(munmap(memory, 10000)); // the rest, and what is gone
  memory = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  out(t, "%d", memory[4095]);
  SHOW_RESULT(mprotect(memory, 4096, PROT_READ | PROT_WRITE));
  SHOW_RESULT(mprotect(memory + 1, 4096, PROT_READ));
  SHOW_RESULT(madvise(memory, 4096, MADV_SEQUENTIAL));
  SHOW_RESULT(posix_madvise(memory, 4096, POSIX_MADV_WILLNEED));
  SHOW_RESULT(msync(memory, 4096, MS_SYNC));
  SHOW_RESULT(munmap(memory, 1));
}

static void files(struct test *t, const char *name) {
  char text[8] = "";
  int fd = new_file(name, 5000);
  char *mine = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  out(t, "%.5s %.5s %d %d", mine, mine + 4990, mine[4999], mine[5000]);
  memcpy(mine, "HELLO", 5);
  SHOW_RESULT(munmap(mine, 5000));
  SHOW_RESULT(pread(fd, text, 5, 0));
  out(t, "%s", text);
  char *shared = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  memcpy(shared, "HELLO", 5);
  SHOW_RESULT(msync(shared, 5000, MS_SYNC));
  SHOW_RESULT(pread(fd, text, 5, 0));
  out(t, "%s", text);
  memcpy(shared + 4995, "WORLD and more", 14); // what is behind the end stays out of the file
  SHOW_RESULT(munmap(shared, 5000));
  SHOW_RESULT(pread(fd, text, 7, 4995));
  out(t, "%s", text);
  struct stat information;
  SHOW_RESULT(fstat(fd, &information));
  out(t, "%ld", (long)information.st_size);
  char *second = mmap(NULL, 904, PROT_READ, MAP_SHARED, fd, 4096);
  out(t, "%.4s %.5s", second, second + 899);
  SHOW_RESULT(munmap(second, 904));
  close(fd), unlink(name);
}

static void refusals(struct test *t, const char *name) {
#define REFUSED(size, protection, flags, fd, offset) \
  do { \
    errno = 0; \
    const int failed_ = mmap(NULL, size, protection, flags, fd, offset) == MAP_FAILED; \
    out(t, "%s %s %s: %d %d", #size, #flags, #fd, failed_, errno); \
  } while (0)
  int fd = new_file(name, 10), read_only = open(name, O_RDONLY), write_only = open(name, O_WRONLY), ends[2];
  pipe(ends);
  REFUSED(0, PROT_READ, MAP_PRIVATE, fd, 0);
  REFUSED(1, PROT_READ, MAP_PRIVATE, fd, 1);
  REFUSED(1, PROT_READ, 0, fd, 0);
  REFUSED(1, PROT_READ, MAP_PRIVATE, -1, 0);
  REFUSED(1, PROT_READ, MAP_PRIVATE, write_only, 0);
  REFUSED(1, PROT_WRITE, MAP_SHARED, read_only, 0);
  REFUSED(1, PROT_READ, MAP_PRIVATE, ends[0], 0);
  REFUSED((size_t)-1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  SHOW_RESULT(munmap((void *)1, 1));
  SHOW_RESULT(munmap((void *)4096, 0));
  SHOW_RESULT(msync((void *)1, 1, MS_SYNC));
  SHOW_RESULT(msync((void *)4096, 1, MS_SYNC));
  SHOW_RESULT(msync((void *)4096, 1, MS_SYNC | MS_ASYNC));
  close(fd), close(read_only), close(write_only), close(ends[0]), close(ends[1]), unlink(name);
}

static void run(struct test *t) {
  char name[32];
  snprintf(name, sizeof name, "file%u", t->thread);
  if (section(t))
    anonymous(t);
  if (section(t))
    files(t, name);
  if (section(t))
    refusals(t, name);
  if (t->mine < 0) { // left for exit()
    int fd = new_file("at-exit", 4097);
    char *shared = mmap(NULL, 4097, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    shared[4096] = '!';
  }
}
