/* With --sandbox the user's descriptors are for reading or for writing and nothing else, copies of them too.

REQUIRES: emulator, landlock
RUN: %gpucc -O2 %s -o %t
RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && echo earlier > in && cp in out && chmod 640 out
RUN: %gpuexec --sandbox %t < in 1<> out 2<> err; test $? -eq 0
RUN: FileCheck %s --match-full-lines --implicit-check-not={{.}} < err
RUN: grep -qx written out && test $(stat -c %%a out) = 640

The user's terminal, file or pipe keeps its flags.
RUN: (%gpuexec --sandbox %t > /dev/null 2>&1; grep flags: /proc/self/fdinfo/0) < in | grep -q 'flags:.*0100000'
*/
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(const char *what, long result) {
  dprintf(2, "%s: %s\n", what, result < 0 ? strerror(errno) : "works");
}

static void attempt(int fd, const char *name) {
  char byte;
  dprintf(2, "%s\n", name);
  if (fd)
    say("read", read(fd, &byte, 1));
  else
    say("write", write(fd, "x", 1));
  say("ftruncate", ftruncate(fd, 0));
  say("fchmod", fchmod(fd, 0777));
  say("fchown", fchown(fd, 1000, 1000));
  say("futimens", futimens(fd, NULL));
  say("O_APPEND", fcntl(fd, F_SETFL, O_APPEND));
  say("O_NONBLOCK", fcntl(fd, F_SETFL, O_NONBLOCK)); // between us and the program
  if (fd)
    say("pwrite", pwrite(fd, "x", 1, 0));
  if (fd)
    say("lseek", lseek(fd, 0, SEEK_SET));
  dprintf(2, "access %d\n", fcntl(fd, F_GETFL) & O_ACCMODE);
}

int main(void) {
  attempt(0, "input");
  // CHECK: input
  // CHECK-NEXT: write: Bad file {{descriptor|number}}
  // CHECK-NEXT: ftruncate: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: fchmod: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: fchown: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: futimens: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: O_APPEND: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: O_NONBLOCK: works
  // CHECK-NEXT: access 0
  attempt(1, "output");
  // CHECK-NEXT: output
  // CHECK-NEXT: read: Bad file {{descriptor|number}}
  // CHECK-NEXT: ftruncate: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: fchmod: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: fchown: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: futimens: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: O_APPEND: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: O_NONBLOCK: works
  // CHECK-NEXT: pwrite: Illegal seek
  // CHECK-NEXT: lseek: Illegal seek
  // CHECK-NEXT: access 1
  attempt(dup(1), "copy of output");
  // CHECK-NEXT: copy of output
  // CHECK-NEXT: read: Bad file {{descriptor|number}}
  // CHECK-NEXT: ftruncate: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: fchmod: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: fchown: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: futimens: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: O_APPEND: {{(Operation not permitted|Not owner)}}
  // CHECK-NEXT: O_NONBLOCK: works
  // CHECK-NEXT: pwrite: Illegal seek
  // CHECK-NEXT: lseek: Illegal seek
  // CHECK-NEXT: access 1
  FILE *reads = fdopen(dup(2), "r");
  dprintf(2, "fgetc %d\n", reads ? fgetc(reads) : -1); // CHECK-NEXT: fgetc -1
  char line[20] = "";
  fgets(line, sizeof line, stdin);
  dprintf(2, "stdin %s", line); // CHECK-NEXT: stdin earlier
  puts("written");
  return 0;
}
