// Times, owners and modes of files, umask, copies of descriptors at or above a number, limits, what <stdio_ext.h> tells.
// RUN: rm -rf %t.dir && mkdir %t.dir && %hostcc %s -o %t.host && cd %t.dir && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -Wall -Wextra -Werror %s -o %t
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && %run %t | diff %t.expected -
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && %run --threads 256 --blocks 16 %t many
#define _GNU_SOURCE
#include "../Inputs/expect.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static int check(int result) { return result ? -errno : 0; }

static void times(const char *what, const char *path) {
  struct stat s;
  if (stat(path, &s))
    memset(&s, 0, sizeof s);
  printf("%s: %ld.%09ld %ld.%09ld\n", what, (long)s.st_atim.tv_sec, (long)s.st_atim.tv_nsec, (long)s.st_mtim.tv_sec,
         (long)s.st_mtim.tv_nsec);
}

static int recent(const char *path) {
  struct stat s;
  return !stat(path, &s) && s.st_mtim.tv_sec > 1700000000;
}

static int all_times(void) {
  fclose(fopen("file", "w"));
  struct utimbuf seconds = {1000, 2000};
  printf("%d\n", check(utime("file", &seconds)));
  times("utime", "file");
  printf("%d %d\n", check(utime("file", NULL)), recent("file"));
  struct timeval micro[2] = {{11, 999999}, {-5, 1}};
  printf("%d\n", check(utimes("file", micro)));
  times("utimes", "file");
  micro[1].tv_usec = 1000000;
  printf("%d\n", check(utimes("file", micro)));
  printf("%d\n", check(utimes("nowhere", NULL)));
  struct timespec nano[2] = {{5, 123456789}, {7, UTIME_OMIT}};
  printf("%d\n", check(utimensat(AT_FDCWD, "file", nano, 0)));
  times("utimensat", "file");
  nano[0].tv_nsec = 1000000000;
  printf("%d\n", check(utimensat(AT_FDCWD, "file", nano, 0)));
  printf("%d\n", check(utimensat(AT_FDCWD, "file", nano, 12345)));
  int fd = open("file", O_RDWR);
  nano[0] = (struct timespec){8, 9};
  nano[1] = (struct timespec){1ll << 33, 10};
  printf("%d\n", check(futimens(fd, nano)));
  times("futimens", "file");
  struct timeval both[2] = {{3, 4}, {5, 6}};
  printf("%d\n", check(futimes(fd, both)));
  times("futimes", "file");
  printf("%d %d\n", check(futimens(fd, NULL)), recent("file"));
  printf("%d %d\n", check(futimens(-1, nano)), check(futimens(999, NULL)));
  return fd;
}

static void owners_and_modes(int fd) {
  struct stat s;
  printf("%d %d", check(fchmod(fd, 0604)), check(fchmod(-1, 0)));
  printf(" %o\n", fstat(fd, &s) ? 0 : (unsigned)s.st_mode);
  printf("%d %d %d\n", check(chown("file", getuid(), getgid())), check(chown("file", -1, -1)), check(chown("nowhere", -1, -1)));
  printf("%d %d\n", check(fchown(fd, getuid(), -1)), check(fchown(-1, 0, 0)));
  printf("%d %d %d\n", check(symlink("gone", "link")), check(lchown("link", getuid(), getgid())), check(chown("link", -1, -1)));
  mode_t before = umask(077);
  printf("%o", (unsigned)umask(027));
  close(creat("private", 0777));
  printf(" %d %o", check(stat("private", &s)), (unsigned)s.st_mode);
  printf(" %o\n", (unsigned)umask(before));
  unlink("link"), unlink("private");
}

static void descriptors(int fd) {
  int a = fcntl(fd, F_DUPFD, 30), b = fcntl(fd, F_DUPFD, 30), c = fcntl(fd, F_DUPFD_CLOEXEC, 100);
  printf("%d %d %d\n", a, b, c);
  printf("%d", (int)write(b, "twice", 5));
  printf(" %ld\n", (long)lseek(c, 0, SEEK_CUR));
  close(a), close(b), close(c);
  printf("%d", check(fcntl(fd, F_DUPFD, -1) < 0));
  printf(" %d", check(fcntl(-1, F_DUPFD, 0) < 0));
  printf(" %d\n", check(fdatasync(fd)));
}

static void limits(void) {
  struct rlimit limit;
  printf("%d %d\n", getrlimit(RLIMIT_NOFILE, &limit), limit.rlim_cur >= 64 && limit.rlim_cur <= limit.rlim_max);
  printf("%d", check(getrlimit(77, &limit)));
  limit = (struct rlimit){2, 1};
  printf(" %d\n", check(setrlimit(RLIMIT_STACK, &limit)));
  printf("%d\n", getdtablesize() >= 64);
  struct rusage used;
  printf("%d %d\n", check(getrusage(RUSAGE_SELF, &used)), check(getrusage(RUSAGE_CHILDREN, &used)));
  printf("%d\n", check(getrusage(77, &used)));
}

#ifndef __gpuexec__ // glibc has no such functions
static size_t __freadahead(FILE *f) { return f->_IO_read_end - f->_IO_read_ptr; }
static const char *__freadptr(FILE *f, size_t *size) {
  *size = __freadahead(f);
  return *size ? f->_IO_read_ptr : NULL;
}
static void __freadptrinc(FILE *f, size_t size) { f->_IO_read_ptr += size; }
#endif

static void read_ahead(void) {
  size_t size = 9;
  FILE *f = fopen("ahead", "w+");
  printf("%d", (int)__freadahead(f));
  fputs("one\ntwo\n", f);
  printf(" %d", (int)__freadahead(f));
  rewind(f);
  printf(" %d %d %d", __freadptr(f, &size) == NULL, (int)size, getc(f));
  const char *rest = __freadptr(f, &size);
  printf(" %d %.*s", (int)__freadahead(f), (int)size, rest);
  __freadptrinc(f, 3);
  printf("%d", (int)__freadahead(f));
  printf(" %c\n", getc(f));
  fclose(f);
  unlink("ahead");
}

static void streams(void) {
  FILE *f = fopen("stream", "w+");
  printf("%d %d %d %d\n", !!__freadable(f), !!__fwritable(f), (int)__fpending(f), __flbf(f));
  fputs("hello", f);
  printf("%d %d %d\n", !!__fwriting(f), !!__freading(f), (int)__fpending(f));
  fflush(f);
  printf("%d\n", (int)__fpending(f));
  fputs("lost", f);
  __fpurge(f);
  printf("%d\n", (int)__fpending(f));
  fclose(f);
  f = fopen("stream", "r");
  printf("%d %d %d\n", !!__freadable(f), !!__fwritable(f), getc(f));
  printf("%d %d\n", !!__freading(f), !!__fwriting(f));
  __fpurge(f);
  printf("%d %d\n", getc(f), !!feof(f));
  printf("%d\n", __fsetlocking(f, FSETLOCKING_QUERY) == FSETLOCKING_INTERNAL);
  fclose(f);
  f = fopen("stream", "a");
  printf("%d %d\n", !!__freadable(f), !!__fwriting(f));
  fclose(f);
  _flushlbf();
  unlink("stream");
}

static int randomness(void) {
  unsigned char one[64] = {0}, two[64] = {0};
  int good = getrandom(one, sizeof one, 0) == sizeof one && !getentropy(two, sizeof two) && memcmp(one, two, sizeof one);
  good = good && getentropy(two, 257) == -1 && errno == EIO && getrandom(one, 1, 0x80) == -1 && errno == EINVAL;
#ifdef __gpuexec__ // glibc has them since 2.36
  arc4random_buf(one, sizeof one);
  arc4random_buf(two, sizeof two);
  good = good && memcmp(one, two, sizeof one) && arc4random() != arc4random() + 1 && arc4random_uniform(1) == 0;
  for (int i = 0; i < 20; ++i)
    good = good && arc4random_uniform(7) < 7;
#endif
  return good;
}

// A file for each thread: no call's words reach another's.
static int each_its_own(void) {
  const unsigned thread = thread_of_the_grid();
  char name[32];
  snprintf(name, sizeof name, "many-%u", thread);
  int fd = open(name, O_RDWR | O_CREAT, 0600);
  struct timespec wanted[2] = {{thread, 7}, {thread + 1, thread}};
  struct stat s;
  if (!EXPECT(fd >= 0 && !futimens(fd, wanted) && !fchmod(fd, 0400 | (thread & 077)) && !fchown(fd, -1, -1) && !fstat(fd, &s),
              "%s", strerror(errno)))
    return 1;
  if (!EXPECT(s.st_atim.tv_sec == thread && s.st_mtim.tv_sec == thread + 1 && s.st_mtim.tv_nsec == thread, "%ld, %ld",
              (long)s.st_atim.tv_sec, (long)s.st_mtim.tv_sec) ||
      !EXPECT((s.st_mode & 0777) == (0400 | (thread & 077)), "%o", (unsigned)s.st_mode))
    return 1;
  struct utimbuf seconds = {thread * 2, thread * 3};
  if (!EXPECT(!utime(name, &seconds) && !stat(name, &s), "%s", strerror(errno)) ||
      !EXPECT(s.st_atim.tv_sec == thread * 2 && s.st_mtim.tv_sec == thread * 3, "%ld, %ld", (long)s.st_atim.tv_sec,
              (long)s.st_mtim.tv_sec))
    return 1;
  return !EXPECT(!close(fd) && !unlink(name), "%s", strerror(errno)) || !EXPECT(randomness(), "");
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1)
    return each_its_own();
  int fd = all_times();
  owners_and_modes(fd);
  descriptors(fd);
  limits();
  streams();
  read_ahead();
  printf("%d\n", randomness());
  return 0;
}
