// What POSIX's calls say of arguments that they cannot take: return value and errno of each, in a folder of the thread's own.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -w -I%source/test/libc %s -o %t.host && cd %t.h && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: d=$(mktemp -d -p /dev/shm || mktemp -d) && trap "rm -rf $d" EXIT
// RUN: cd $d && %run --threads 256 --blocks 16 %t $(tail -1 %t.expected) && test -z "$(ls)"
#define _GNU_SOURCE
#define SLICES 8
#include "libc_test.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SHOW(call) \
  do { \
    errno = 0; \
    const long result_ = (long)(call); \
    out(t, "%s = %ld %d", #call, result_ < 0 || result_ == 0 ? result_ : 1, result_ < 0 ? errno : 0); \
  } while (0)
#define NONE(call) \
  do { \
    errno = 0; \
    const int none_ = (call) == NULL; \
    out(t, "%s: %d %d", #call, none_, none_ ? errno : 0); \
  } while (0)

// Below `top`: a file, a folder with a file in it, an empty one, links.
static void paths(struct test *t, const char *top, int which) {
  static char longest[5000];
  char file[64], folder[64], inside[64], below[64], none[64], empty[64], loop[64], text[16];
  struct stat information;
  if (!longest[0])
    memset(longest, 'x', sizeof longest - 1);
#define PATH(name, tail) snprintf(name, sizeof name, "%s/%s", top, tail)
  PATH(file, "file"), PATH(folder, "folder"), PATH(inside, "folder/inside"), PATH(below, "file/below"), PATH(none, "none/below"), PATH(empty, "empty"), PATH(loop, "loop");
  mkdir(top, 0700), mkdir(folder, 0700), mkdir(empty, 0700);
  close(creat(file, 0600)), close(creat(inside, 0600));
  SHOW(symlink("loop", loop));
  if (which == 0) {
    SHOW(open("", O_RDONLY));
    SHOW(open(none, O_RDONLY));
    SHOW(open(below, O_RDONLY));
    SHOW(open(folder, O_WRONLY));
    SHOW(open(folder, O_RDWR));
    SHOW(open(file, O_RDONLY | O_DIRECTORY));
    SHOW(open(file, O_WRONLY | O_CREAT | O_EXCL, 0600));
    SHOW(open(loop, O_RDONLY));
    SHOW(open(loop, O_RDONLY | O_NOFOLLOW));
    SHOW(open(longest, O_RDONLY));
    SHOW(creat(folder, 0600));
    SHOW(creat(none, 0600));
    SHOW(stat("", &information));
    SHOW(stat(below, &information));
    SHOW(stat(loop, &information));
    SHOW(stat(longest, &information));
    SHOW(lstat(loop, &information));
    SHOW(lstat(none, &information));
    SHOW(fstat(-1, &information));
    SHOW(fstat(654321, &information));
  } else if (which == 1) {
    SHOW(access("", F_OK));
    SHOW(access(file, X_OK));
    SHOW(access(file, 99));
    SHOW(access(below, F_OK));
    SHOW(access(loop, F_OK));
    SHOW(unlink(folder) < 0);
    SHOW(unlink(below));
    SHOW(unlink(""));
    SHOW(unlink(none));
    SHOW(remove(folder));
    SHOW(remove(none));
    SHOW(rename(none, file));
    SHOW(rename(file, none));
    SHOW(rename(file, folder));
    SHOW(rename(folder, file));
    SHOW(rename(empty, folder));
    SHOW(rename(folder, inside));
    SHOW(rename(folder, below));
    SHOW(rename(file, ""));
    SHOW(rename(file, file));
  } else if (which == 2) {
    SHOW(mkdir(file, 0700));
    SHOW(mkdir(folder, 0700));
    SHOW(mkdir(none, 0700));
    SHOW(mkdir(below, 0700));
    SHOW(mkdir("", 0700));
    SHOW(mkdir(longest, 0700));
    SHOW(rmdir(folder));
    SHOW(rmdir(file));
    SHOW(rmdir(none));
    SHOW(rmdir(""));
    SHOW(rmdir("."));
    NONE(opendir(file));
    NONE(opendir(none));
    NONE(opendir(""));
    NONE(opendir(loop));
    SHOW(chdir(file));
    SHOW(chdir(none));
    SHOW(chdir(""));
    NONE(getcwd(text, 1));
    NONE(getcwd(text, 0));
  } else if (which == 3) {
    SHOW(symlink("x", file));
    SHOW(symlink("", none));
    SHOW(symlink("x", none));
    SHOW(readlink(file, text, sizeof text));
    SHOW(readlink(none, text, sizeof text));
    SHOW(readlink(loop, text, 2));
    SHOW(link(none, file));
    SHOW(link(file, folder));
    SHOW(link(file, none));
    SHOW(link(file, ""));
    SHOW(chmod(none, 0600));
    SHOW(chmod("", 0600));
    SHOW(chmod(below, 0600));
    SHOW(truncate(folder, 0));
    SHOW(truncate(none, 0));
    SHOW(truncate(file, -1));
    NONE(realpath(none, NULL));
    NONE(realpath(loop, NULL));
    NONE(realpath("", NULL));
    NONE(realpath(NULL, NULL));
  } else if (which == 4) {
    NONE(fopen(folder, "w"));
    NONE(fopen(folder, "r+"));
    NONE(fopen(none, "w"));
    NONE(fopen(below, "r"));
    NONE(fopen("", "w"));
    NONE(fopen(loop, "r"));
    NONE(fopen(file, "wx"));
    NONE(fopen(file, "q"));
    NONE(fopen(longest, "r"));
    NONE(freopen(none, "r", fopen(file, "r")));
    FILE *stream = fopen(folder, "r");
    SHOW(stream ? fgetc(stream) : -2);
    out(t, "%d", stream && ferror(stream) != 0);
    SHOW(stream ? fclose(stream) : -2);
    stream = fopen(file, "w");
    SHOW(fseek(stream, -1, SEEK_SET));
    SHOW(fseek(stream, 0, 7));
    SHOW(fgetc(stream));
    SHOW(fclose(stream));
    SHOW(setvbuf(stdout, NULL, 99, 0));
  }
  remove(file), remove(inside), remove(loop);
  rmdir(folder), rmdir(empty);
  SHOW(rmdir(top));
}

static void descriptors(struct test *t, const char *name) {
  char text[64] = "";
  int ends[2];
  struct stat information;
  int written = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int read_only = open(name, O_RDONLY);
  SHOW(read(written, text, 1));
  SHOW(write(read_only, "x", 1));
  SHOW(read(-1, text, 1));
  SHOW(write(-1, text, 1));
  SHOW(read(read_only, text, 0));
  SHOW(write(written, text, 0));
  SHOW(lseek(written, -1, SEEK_SET));
  SHOW(lseek(written, 0, 99));
  SHOW(lseek(-1, 0, SEEK_SET));
  SHOW(pread(read_only, text, 1, -1));
  SHOW(pwrite(written, text, 1, -1));
  SHOW(pread(written, text, 1, 0));
  SHOW(ftruncate(written, -1));
  SHOW(ftruncate(read_only, 0));
  SHOW(ftruncate(-1, 0));
  SHOW(fsync(-1));
  SHOW(fcntl(-1, F_GETFL));
  SHOW(fcntl(written, 12345));
  SHOW(fcntl(written, F_DUPFD, -1));
  SHOW(dup(-1));
  SHOW(dup2(-1, 5));
  SHOW(dup2(written, -1));
  SHOW(dup2(written, written) == written);
  SHOW(isatty(written));
  out(t, "%d", errno);
  SHOW(isatty(-1));
  out(t, "%d", errno);
  SHOW(pipe(ends));
  SHOW(lseek(ends[0], 0, SEEK_CUR));
  SHOW(pread(ends[0], text, 1, 0));
  SHOW(write(ends[0], text, 1));
  SHOW(read(ends[1], text, 1));
  SHOW(ftruncate(ends[1], 0));
  SHOW(fsync(ends[0]));
  SHOW(close(ends[1]));
  SHOW(read(ends[0], text, 1));
  SHOW(close(ends[0]));
  SHOW(close(read_only));
  SHOW(close(written));
  SHOW(close(-1));
  SHOW(unlink(name));
}

static void others(struct test *t) {
  struct timespec wrong = {0, -1}, negative = {-1, 0}, at;
  SHOW(nanosleep(&wrong, NULL));
  SHOW(nanosleep(&negative, NULL));
  SHOW(clock_gettime(-77, &at));
  SHOW(clock_getres(99, &at));
  SHOW(setenv(NULL, "x", 1));
  SHOW(setenv("", "x", 1));
  SHOW(setenv("A=B", "x", 1));
  SHOW(unsetenv(""));
  SHOW(sysconf(123456));
  NONE(popen("true", "rw"));
  NONE(fdopen(-1, "r"));
}

static void run(struct test *t) {
  char name[32];
  snprintf(name, sizeof name, "top%u", t->thread);
  for (int which = 0; which < 5; ++which)
    if (section(t))
      paths(t, name, which);
  if (section(t))
    descriptors(t, name);
  if (section(t))
    others(t);
}
