// Names relative to an open directory (openat and its like), directories by descriptor, scandir, FIFOs, and who the program is
// among the host's processes: results and errors as on the host.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -w %s -o %t.host && cd %t.h && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: rm -rf %t.d/* && cd %t.d && %run --sandbox --dir .:rw %t sandbox > %t.sandbox
// RUN: grep -q '^sandbox: 1 1 1$' %t.sandbox && test -f %t.d/inside && test ! -e %t.outside
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "show.h"

static int sandboxed(void) {
  int here = open(".", O_RDONLY | O_DIRECTORY);
  printf("sandbox: %d", openat(here, "inside", O_CREAT | O_WRONLY, 0600) >= 0);
  printf(" %d", openat(here, "../at.c.tmp.outside", O_CREAT | O_WRONLY, 0600) < 0);
  printf(" %d\n", mkfifoat(here, "fifo", 0600) < 0);
  return 0;
}

static int is_text(const struct dirent *entry) { return strstr(entry->d_name, ".txt") != NULL; }

static void directories(int base) {
  struct dirent **list;
  DIR *directory = fdopendir(dup(base));
  int entries = 0;
  while (readdir(directory))
    ++entries;
  printf("%d %d\n", entries, dirfd(directory) > 2);
  rewinddir(directory);
  readdir(directory);
  long place = telldir(directory);
  struct dirent *entry = readdir(directory), copy, *found;
  char name[256];
  strcpy(name, entry->d_name);
  readdir(directory);
  seekdir(directory, place);
  printf("%d\n", strcmp(readdir(directory)->d_name, name));
  printf("%d\n", readdir_r(directory, &copy, &found) == 0 && found == &copy);
  struct stat one, other;
  fstat(dirfd(directory), &one);
  stat("base", &other);
  printf("%d\n", one.st_ino == other.st_ino);
  SHOW(closedir(directory));
  directory = opendir("base");
  SHOW(fstatat(dirfd(directory), "file", &one, 0));
  SHOW(closedir(directory));
  for (int i = 0; i < 12; ++i) {
    snprintf(name, sizeof name, "f%d.txt", i);
    close(openat(base, name, O_CREAT | O_WRONLY, 0644));
  }
  int count = scandir("base", &list, is_text, versionsort);
  for (int i = 0; i < count; ++i)
    printf("%s%s", list[i]->d_name, i + 1 < count ? " " : "\n");
  count = scandir("base", &list, is_text, alphasort);
  printf("%d %s %s\n", count, list[1]->d_name, list[3]->d_name);
  SHOW(scandir("nothing", &list, NULL, NULL));
}

int main(int argc, char **argv) {
  if (argc > 1)
    return sandboxed();
  struct stat status;
  char text[100] = "";
  mkdir("base", 0755);
  int base = open("base", O_RDONLY | O_DIRECTORY), file;
  SHOW((file = openat(base, "file", O_CREAT | O_EXCL | O_RDWR, 0640)) > 0);
  SHOW(write(file, "contents", 8));
  SHOW(openat(base, "file", O_CREAT | O_EXCL | O_RDWR, 0640));
  SHOW(openat(base, "missing", O_RDONLY));
  SHOW(openat(base, "", O_RDONLY));
  SHOW(openat(99, "file", O_RDONLY));
  SHOW(openat(file, "file", O_RDONLY));
  SHOW(openat(AT_FDCWD, "base/file", O_RDONLY) > 0);
  SHOW(mkdirat(base, "sub", 0750));
  SHOW(fstatat(base, "file", &status, 0));
  printf("%o %d\n", status.st_mode, (int)status.st_size);
  SHOW(fstatat(base, "file", &status, 0x4000000));
  SHOW(fstatat(file, "", &status, AT_EMPTY_PATH));
  SHOW(symlinkat("file", base, "link"));
  SHOW(readlinkat(base, "link", text, sizeof text));
  puts(text);
  SHOW(fstatat(base, "link", &status, AT_SYMLINK_NOFOLLOW));
  printf("%d\n", S_ISLNK(status.st_mode) != 0);
  SHOW(linkat(base, "file", base, "sub/hard", 0));
  SHOW(renameat(base, "sub/hard", AT_FDCWD, "moved"));
  SHOW(faccessat(base, "file", R_OK, 0));
  SHOW(faccessat(base, "none", F_OK, 0));
  SHOW(fchmodat(base, "file", 0600, 0));
  SHOW(fchownat(base, "file", getuid(), getgid(), 0));
  struct timespec times[2] = {{1000, 5}, {2000, 7}};
  SHOW(utimensat(base, "file", times, 0));
  SHOW(fstatat(base, "file", &status, 0));
  printf("%ld %ld %o\n", (long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_mode);
  SHOW(mkfifoat(base, "fifo", 0600));
  SHOW(fstatat(base, "fifo", &status, 0));
  printf("%d\n", S_ISFIFO(status.st_mode) != 0);
  SHOW(mkfifo("base/fifo", 0600));
  directories(base);
  SHOW(fchdir(file));
  SHOW(fchdir(base));
  SHOW(access("file", F_OK));
  SHOW(unlinkat(base, "sub", 0));
  SHOW(unlinkat(base, "sub", AT_REMOVEDIR));
  SHOW(unlinkat(base, "file", 0));
  SHOW(unlinkat(base, "file", 0));
  SHOW(posix_fallocate(file, 0, 100));
  SHOW(posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL));
  SHOW(posix_fadvise(file, 0, 0, 77));
  SHOW(fstat(file, &status));
  printf("%d\n", (int)status.st_size);
  SHOW(setuid(getuid()) | setgid(getgid()) | seteuid(geteuid()));
  SHOW(getpriority(PRIO_PROCESS, 0) >= 0);
  SHOW(getpriority(77, 0));
  SHOW(getsid(0) > 0 && getpgrp() > 0 && getpgid(0) == getpgrp());
  SHOW(getgroups(0, NULL) >= 0);
  SHOW(ttyname(file) == NULL);
  puts(ctermid(NULL));
  return 0;
}
