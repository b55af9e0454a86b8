/* With --sandbox a program learns nothing of the machine's users and names; files that were granted can be locked and waited
for, and the user's own descriptors answer questions without being changed.

REQUIRES: emulator, landlock
RUN: %gpucc -O2 %s -o %t
RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && %gpuexec --sandbox --dir .:rw %t < /dev/null > out; test $? -eq 0
RUN: FileCheck %s --match-full-lines --implicit-check-not={{.}} < %t.dir/out
*/
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

static void say(const char *what, long result) { printf("%s: %ld %d\n", what, result, result < 0 ? errno : 0); }

int main(void) {
  struct utsname names;
  // CHECK: uname: 0 0
  say("uname", uname(&names));
  // CHECK-NEXT: Linux localhost 0.0.0 x86_64
  printf("%s %s %s%s %s\n", names.sysname, names.nodename, names.release, names.version, names.machine);
  // CHECK-NEXT: accounts: 0 0 0
  printf("accounts: %d %d %d\n", getpwnam("root") != NULL, getpwuid(0) != NULL, getgrgid(0) != NULL);
  int fd = open("file", O_RDWR | O_CREAT, 0600), ends[2];
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  // CHECK-NEXT: lock: 0 0
  say("lock", fcntl(fd, F_SETLKW, &lock));
  // CHECK-NEXT: get lock: 0 0
  say("get lock", fcntl(fd, F_GETLK, &lock));
  // CHECK-NEXT: flock: 0 0
  say("flock", flock(fd, LOCK_EX));
  struct statvfs facts;
  // CHECK-NEXT: fstatvfs: 0 0
  say("fstatvfs", fstatvfs(fd, &facts));
  // CHECK-NEXT: statvfs: 0 0
  say("statvfs", statvfs("file", &facts));
  // CHECK-NEXT: statvfs outside: -1 {{[0-9]+}}
  say("statvfs outside", statvfs("/proc", &facts));
  pipe(ends);
  struct pollfd files[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}};
  // CHECK-NEXT: poll: 0 0
  say("poll", poll(files, 1, 20));
  // CHECK-NEXT: poll: 1 0
  say("poll", poll(files, 2, -1));
  int count;
  // CHECK-NEXT: FIONREAD: 0 0
  say("FIONREAD", ioctl(ends[0], FIONREAD, &count));
  // CHECK-NEXT: lock of standard output: -1 1
  say("lock of standard output", fcntl(1, F_SETLK, &lock));
  // CHECK-NEXT: flock of standard output: -1 1
  say("flock of standard output", flock(1, LOCK_EX));
  struct winsize size = {1, 1, 1, 1};
  // CHECK-NEXT: TIOCGWINSZ: -1 25
  say("TIOCGWINSZ", ioctl(0, TIOCGWINSZ, &size));
  // CHECK-NEXT: TIOCSWINSZ: -1 1
  say("TIOCSWINSZ", ioctl(0, TIOCSWINSZ, &size));
  return 0;
}
