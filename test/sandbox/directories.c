/* With --sandbox only granted directories exist, read-only ones cannot be changed, and no command runs.

On every device and kernel, with the layers that there are: -weak only warns.
RUN: %gpucc -O2 %s -o %t
RUN: rm -rf %t.dir && mkdir -p %t.dir/read %t.dir/write && echo inside > %t.dir/read/file && ln -s /etc/passwd %t.dir/write/link
RUN: %run --sandbox-weak --dir %t.dir/read --dir %t.dir/write:rw %t %t.dir | FileCheck %s
RUN: grep written %t.dir/write/new
RUN: test ! -e %t.dir/read/new
RUN: not %run --sandbox-weak --dir %t.nowhere %t %t.dir 2>&1 | FileCheck %s --check-prefix=NOWHERE
NOWHERE: {{.*}}.nowhere: No such file or directory
*/
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void attempt(const char *directory, const char *name, const char *mode) {
  char path[4096], text[100] = "";
  snprintf(path, sizeof path, "%s%s", directory, name);
  errno = 0;
  FILE *file = fopen(path, mode);
  if (file && *mode == 'r')
    fgets(text, sizeof text, file);
  else if (file)
    fputs("written\n", file);
  printf("%s %s: %s %s\n", name, mode, file ? "open" : strerror(errno), text);
  if (file)
    fclose(file);
}

int main(int argc, char **argv) {
  attempt(argv[1], "/read/file", "r");       // CHECK: /read/file r: open inside
  attempt(argv[1], "/read/new", "w");        // CHECK: /read/new w: Read-only file system
  attempt(argv[1], "/write/new", "w");       // CHECK: /write/new w: open
  attempt(argv[1], "/write/link", "r");      // CHECK: /write/link r: Permission denied
  attempt(argv[1], "/write/../../x", "w");   // CHECK: /write/../../x w: Permission denied
  attempt("/etc", "/passwd", "r");           // CHECK: /passwd r: Permission denied
  printf("system %d\n", system("echo hacked") == 0); // CHECK-NOT: hacked
  // CHECK: system 0
  return 0;
}
