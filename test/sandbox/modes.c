/* With --sandbox no file gets a set-user-ID, set-group-ID or sticky bit; other modes, owners and times can be changed
   where writing was granted.

REQUIRES: emulator, landlock
RUN: %gpucc -O2 %s -o %t && rm -rf %t.dir && mkdir -p %t.dir/write %t.dir/read && touch %t.dir/read/file
RUN: cd %t.dir/write && %run --sandbox --dir %t.dir/write:rw --dir %t.dir/read %t %t.dir | FileCheck %s --match-full-lines
RUN: find %t.dir -perm /7000 | not grep .
*/
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(const char *what, int result) {
  printf("%s: %s\n", what, result < 0 ? errno == EPERM ? "refused" : strerror(errno) : "works");
}

int main(int argc, char **argv) {
  char of_reading[4096];
  snprintf(of_reading, sizeof of_reading, "%s/read/file", argv[1]);
  int fd = open("file", O_CREAT | O_RDWR, 0644);
  say("chmod 0755", chmod("file", 0755));           // CHECK: chmod 0755: works
  say("chmod 04755", chmod("file", 04755));         // CHECK-NEXT: chmod 04755: refused
  say("chmod 02755", chmod("file", 02755));         // CHECK-NEXT: chmod 02755: refused
  say("fchmod 06755", fchmod(fd, 06755));           // CHECK-NEXT: fchmod 06755: refused
  say("fchmod 0600", fchmod(fd, 0600));             // CHECK-NEXT: fchmod 0600: works
  say("open 04755", open("special", O_CREAT | O_RDWR, 04755)); // CHECK-NEXT: open 04755: refused
  say("mkdir 02777", mkdir("folder", 02777));       // CHECK-NEXT: mkdir 02777: refused
  say("mkdir 01777", mkdir("folder", 01777));       // CHECK-NEXT: mkdir 01777: refused
  say("mkdir 0777", mkdir("folder", 0777));         // CHECK-NEXT: mkdir 0777: works
  say("chmod of a folder", chmod("folder", 0700));  // CHECK-NEXT: chmod of a folder: works
  say("chown", chown("file", getuid(), getgid()));  // CHECK-NEXT: chown: works
  say("utimensat", utimensat(AT_FDCWD, "file", NULL, 0)); // CHECK-NEXT: utimensat: works
  say("without reading", chmod("file", 0200));      // CHECK-NEXT: without reading: works
  say("and back", chmod("file", 0644));             // CHECK-NEXT: and back: works
  say("link", link(of_reading, "hard"));        // CHECK-NEXT: link: Read-only file system
  say("rename", rename(of_reading, "moved"));   // CHECK-NEXT: rename: Read-only file system
  say("chmod of what may be read", chmod(of_reading, 0777));
  // CHECK-NEXT: chmod of what may be read: Read-only file system
  fd = open(of_reading, O_RDONLY);
  say("fchmod of what may be read", fchmod(fd, 0777));
  // CHECK-NEXT: fchmod of what may be read: Read-only file system
  return 0;
}
