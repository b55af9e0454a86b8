/* With --sandbox no link that the program makes itself leads out of what was granted, and no name leaves its grant.

REQUIRES: emulator, landlock
RUN: rm -rf %t.dir && mkdir -p %t.dir/rw/sub %t.dir/rw2 %t.dir/ro && cd %t.dir && echo precious > secret && echo data > ro/file && mkdir outside
RUN: %gpucc -O1 %s -o p && %gpuexec --sandbox --dir rw:rw --dir rw2:rw --dir ro p $PWD > out; test $? -eq 0
RUN: FileCheck %s --match-full-lines --implicit-check-not={{.}} < %t.dir/out
RUN: cd %t.dir && grep -qx precious secret && grep -qx data ro/file && test -z "$(ls outside)" && test $(ls -d ro rw rw2 | wc -l) -eq 3
*/
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char at[4096];

/// The name below the test's folder; the two before stay valid.
static const char *in(const char *name) {
  static char names[3][4096];
  static unsigned next;
  char *text = names[next++ % 3];
  snprintf(text, sizeof names[0], "%s/%s", at, name);
  return text;
}

static void say(const char *what, int result) { printf("%s: %s\n", what, result < 0 ? strerror(errno) : "works"); }

/// A link in rw to `text`, and what can be done by it.
static void through(const char *text, const char *file) {
  char name[200];
  unlink(in("rw/link"));
  int made = symlink(text, in("rw/link"));
  snprintf(name, sizeof name, "rw/link%s", file);
  errno = 0;
  int open_reads = open(in(name), O_RDONLY) >= 0, open_writes = open(in(name), O_WRONLY | O_CREAT, 0600) >= 0;
  int changes = !chmod(in(name), 0777) + !truncate(in(name), 0) + !access(in(name), F_OK) + !rename(in(name), in("rw/taken"));
  int folder = opendir(in("rw/link")) != NULL, moved = !chdir(in("rw/link"));
  chdir(in("rw"));
  printf("link to %s: made %d, reads %d, writes %d, changes %d, folder %d, directory %d\n", strncmp(text, at, strlen(at)) ? text : "the folder",
         !made, open_reads, open_writes, changes, folder, moved);
}

int main(int argc, char **argv) {
  strcpy(at, argv[1]);
  // CHECK: link to the folder: made 1, reads 0, writes 0, changes 0, folder 0, directory 0
  through(at, "/secret");
  // CHECK-NEXT: link to ..: made 1, reads 0, writes 0, changes 0, folder 0, directory 0
  through("..", "/secret");
  // CHECK-NEXT: link to sub/../../outside: made 1, reads 0, writes 0, changes 0, folder 0, directory 0
  through("sub/../../outside", "/new");
  // CHECK-NEXT: link to /proc/self/root: made 1, reads 0, writes 0, changes 0, folder 0, directory 0
  through("/proc/self/root", "/etc/passwd");
  // CHECK-NEXT: link to /proc/self/cwd: made 1, reads 0, writes 0, changes 0, folder 0, directory 0
  through("/proc/self/cwd", "/secret");
  // CHECK-NEXT: hard link of a file outside: Permission denied
  say("hard link of a file outside", link(in("secret"), in("rw/hard")));
  // CHECK-NEXT: hard link of a file that is for reading: Read-only file system
  say("hard link of a file that is for reading", link(in("ro/file"), in("rw/hard")));
  // CHECK-NEXT: rename to outside: Permission denied
  say("rename to outside", rename(in("rw/sub"), in("outside/sub")));
  // CHECK-NEXT: rename from what is for reading: Read-only file system
  say("rename from what is for reading", rename(in("ro/file"), in("rw/file")));
  // CHECK-NEXT: rename of a grant: Device or resource busy
  say("rename of a grant", rename(in("rw"), in("rw2/rw")));
  // CHECK-NEXT: removal of a grant: Invalid argument
  say("removal of a grant", rmdir(in("rw2")));
  // CHECK-NEXT: removal of the folder around: Permission denied
  say("removal of the folder around", rmdir(at));
  // CHECK-NEXT: a folder outside: Permission denied
  say("a folder outside", mkdir(in("new"), 0777));
  // CHECK-NEXT: a folder in the other grant: works
  say("a folder in the other grant", mkdir(in("rw2/new"), 0777));
  // CHECK-NEXT: rename to the other grant: works
  say("rename to the other grant", rename(in("rw/sub"), in("rw2/sub")));
  return 0;
}
