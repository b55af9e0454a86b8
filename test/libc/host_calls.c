// What the host tells and does for descriptors, users and the machine: poll and select, locks, ioctl and termios where there
// is no terminal, file systems, accounts, uname, in an empty folder.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -w -I%source/test/libc %s -o %t.host && cd %t.h && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: d=$(mktemp -d -p /dev/shm || mktemp -d) && trap "rm -rf $d" EXIT
// RUN: cd $d && %run --threads 256 --blocks 16 %t $(tail -1 %t.expected) && test -z "$(ls)"
#define _GNU_SOURCE
#define SLICES 16 // 256 threads have files open at once
#include "libc_test.h"
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// In one thread: with thousands of files open their numbers are too large for a set.
static void selects(struct test *t, const int ends[2]) {
  fd_set reading, writing;
  char text[8];
  FD_ZERO(&reading);
  FD_ZERO(&writing);
  FD_SET(ends[0], &reading), FD_SET(ends[1], &writing);
  const int limit = (ends[0] > ends[1] ? ends[0] : ends[1]) + 1;
  struct timeval time = {5, 0};
  SHOW_RESULT(select(limit, &reading, &writing, NULL, &time));
  out(t, "%d %d %d", FD_ISSET(ends[0], &reading) != 0, FD_ISSET(ends[1], &writing) != 0, FD_ISSET(ends[1], &reading) != 0);
  read(ends[0], text, 8);
  time = (struct timeval){0, 2000};
  FD_SET(ends[0], &reading);
  SHOW_RESULT(select(limit, &reading, NULL, NULL, &time));
  out(t, "%d %ld %ld", FD_ISSET(ends[0], &reading) != 0, (long)time.tv_sec, (long)time.tv_usec);
  SHOW_RESULT(select(0, NULL, NULL, NULL, &(struct timeval){0, 1}));
  SHOW_RESULT(select(-1, NULL, NULL, NULL, NULL));
  SHOW_RESULT(pselect(limit, NULL, NULL, NULL, &(struct timespec){0, 1000}, NULL));
  FD_SET(60, &reading);
  SHOW_RESULT(select(61, &reading, NULL, NULL, NULL));
  write(ends[1], text, 3);
}

static void polls(struct test *t, const char *name) {
  int ends[2], fd = open(name, O_RDWR | O_CREAT, 0600);
  SHOW_RESULT(pipe(ends));
  struct pollfd files[4] = {{ends[0], POLLIN, 99}, {ends[1], POLLOUT, 99}, {-1, POLLIN, 99}, {fd, POLLIN | POLLOUT, 99}};
  SHOW_RESULT(poll(files, 4, 0));
  out(t, "%d %d %d %d", files[0].revents, files[1].revents, files[2].revents, files[3].revents);
  SHOW_RESULT(poll(files, 1, 1));
  SHOW_RESULT(poll(files, 0, 1));
  SHOW_RESULT(poll(NULL, 0, 0));
  SHOW_RESULT(write(ends[1], "abc", 3));
  SHOW_RESULT(poll(files, 1, -1));
  out(t, "%d", files[0].revents);
  int count = 0;
  SHOW_RESULT(ioctl(ends[0], FIONREAD, &count));
  out(t, "%d", count);
  files[2] = (struct pollfd){9999, POLLIN, 0};
  SHOW_RESULT(poll(files, 3, -1));
  out(t, "%d", files[2].revents);
  struct timespec wrong = {0, 1000000000}, little = {0, 1000};
  SHOW_RESULT(ppoll(files, 1, &wrong, NULL));
  SHOW_RESULT(ppoll(files, 1, &little, NULL));

  if (t->mine < 0) {
    t->unchecked = 1;
    selects(t, ends);
    t->unchecked = 0;
  }
  close(ends[1]);
  SHOW_RESULT(poll(files, 1, -1));
  out(t, "%d", files[0].revents);
  close(ends[0]), close(fd), unlink(name);
}

// A second process has none of these: a lock of our own never stands in our way.
static void locks(struct test *t, const char *name) {
  int fd = open(name, O_RDWR | O_CREAT, 0600), other = open(name, O_RDONLY);
  struct flock lock = {F_WRLCK, SEEK_SET, 0, 0, 0};
  SHOW_RESULT(fcntl(fd, F_SETLK, &lock));
  SHOW_RESULT(fcntl(fd, F_SETLKW, &lock));
  SHOW_RESULT(fcntl(fd, F_GETLK, &lock));
  out(t, "%d", lock.l_type == F_UNLCK);
  lock.l_type = F_UNLCK;
  SHOW_RESULT(fcntl(fd, F_SETLK, &lock));
  lock.l_type = 77;
  SHOW_RESULT(fcntl(fd, F_SETLK, &lock));
  lock.l_type = F_WRLCK;
  SHOW_RESULT(fcntl(other, F_SETLK, &lock));
  SHOW_RESULT(fcntl(-1, F_SETLK, &lock));
  SHOW_RESULT(lockf(fd, F_LOCK, 10));
  SHOW_RESULT(lockf(fd, F_TEST, 10));
  SHOW_RESULT(lockf(fd, F_TLOCK, 0));
  SHOW_RESULT(lockf(fd, F_ULOCK, 0));
  SHOW_RESULT(lockf(fd, 55, 0));
  SHOW_RESULT(flock(fd, LOCK_EX));
  SHOW_RESULT(flock(other, LOCK_SH | LOCK_NB));
  SHOW_RESULT(flock(fd, LOCK_UN));
  SHOW_RESULT(flock(other, LOCK_SH | LOCK_NB));
  SHOW_RESULT(flock(-1, LOCK_SH));
  SHOW_RESULT(flock(fd, 0));

  struct termios settings;
  struct winsize size;
  SHOW_RESULT(tcgetattr(fd, &settings));
  SHOW_RESULT(tcgetattr(-1, &settings));
  SHOW_RESULT(tcsetattr(fd, TCSANOW, &settings));
  SHOW_RESULT(tcsetattr(fd, 88, &settings));
  SHOW_RESULT(ioctl(fd, TIOCGWINSZ, &size));
  SHOW_RESULT(ioctl(fd, 0x1234567, &size));
  SHOW_RESULT(tcflush(fd, TCIFLUSH));
  SHOW_RESULT(tcgetpgrp(fd));
  memset(&settings, 0, sizeof settings);
  SHOW_RESULT(cfsetospeed(&settings, B9600));
  out(t, "%d %d", (int)cfgetospeed(&settings), (int)(settings.c_cflag & CBAUD));
  memset(&settings, -1, sizeof settings);
  cfmakeraw(&settings);
  out(t, "%x %x %x %x", settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag);
  close(fd), close(other), unlink(name);
}

static void file_systems(struct test *t, const char *name) {
  int fd = creat(name, 0600);
  struct statvfs a, b;
  struct statfs c, d;
  SHOW_RESULT(statvfs("/proc", &a));
  out(t, "%lu %lu %lu %lu %lu", a.f_bsize, a.f_frsize, (long)a.f_blocks, a.f_namemax, (long)a.f_files);
  SHOW_RESULT(statfs("/proc", &c));
  out(t, "%lx %ld %ld", (long)c.f_type, (long)c.f_bsize, (long)c.f_namelen);
  SHOW_RESULT(statvfs(".", &a));
  SHOW_RESULT(fstatvfs(fd, &b));
  out(t, "%d %d", a.f_blocks == b.f_blocks && a.f_frsize == b.f_frsize && a.f_fsid == b.f_fsid, a.f_blocks > 0);
  SHOW_RESULT(fstatfs(fd, &d));
  out(t, "%d", (unsigned long)d.f_blocks == b.f_blocks);
  SHOW_RESULT(statvfs("nowhere", &a));
  SHOW_RESULT(fstatvfs(-1, &a));
  SHOW_RESULT(statfs("nowhere", &c));
  close(fd), unlink(name);
}

static void show_user(struct test *t, const struct passwd *user) {
  if (user)
    out(t, "%s:%s:%d:%d:%s:%s:%s", user->pw_name, user->pw_passwd, (int)user->pw_uid, (int)user->pw_gid, user->pw_gecos, user->pw_dir, user->pw_shell);
  else
    out(t, "no user %d", errno);
}
static void show_group(struct test *t, const struct group *group) {
  if (!group) {
    out(t, "no group %d", errno);
    return;
  }
  out(t, "%s:%s:%d", group->gr_name, group->gr_passwd, (int)group->gr_gid);
  for (char **member = group->gr_mem; *member; ++member)
    out(t, "%s", *member);
}

static void accounts(struct test *t) {
  char text[2000];
  struct passwd user, *found_user;
  struct group group, *found_group;
  SHOW_RESULT(getpwnam_r("root", &user, text, sizeof text, &found_user));
  show_user(t, found_user);
  SHOW_RESULT(getpwuid_r(1, &user, text, sizeof text, &found_user));
  show_user(t, found_user);
  SHOW_RESULT(getpwnam_r("no such user", &user, text, sizeof text, &found_user));
  out(t, "%d", found_user == NULL);
  SHOW_RESULT(getpwnam_r("root", &user, text, 10, &found_user));
  out(t, "%d", found_user == NULL);
  SHOW_RESULT(getgrnam_r("root", &group, text, sizeof text, &found_group));
  show_group(t, found_group);
  SHOW_RESULT(getgrgid_r(1, &group, text, sizeof text, &found_group));
  show_group(t, found_group);
  SHOW_RESULT(getgrgid_r(123454321, &group, text, sizeof text, &found_group));
  out(t, "%d", found_group == NULL);
  struct utsname names;
  SHOW_RESULT(uname(&names));
  out(t, "%s %s %s %s %s", names.sysname, names.nodename, names.release, names.version, names.machine);
  if (t->mine >= 0)
    return;
  t->unchecked = 1; // these results are one for all threads
  errno = 0;
  show_user(t, getpwnam("root"));
  show_user(t, getpwuid(getuid()));
  show_user(t, getpwuid(123454321));
  show_group(t, getgrnam("root"));
  show_group(t, getgrgid(getgid()));
  show_group(t, getgrnam("no such group"));
  t->unchecked = 0;
}

static void run(struct test *t) {
  char name[32];
  snprintf(name, sizeof name, "file%u", t->thread);
  if (section(t))
    polls(t, name);
  if (section(t))
    locks(t, name);
  if (section(t))
    file_systems(t, name);
  if (section(t))
    accounts(t);
}
