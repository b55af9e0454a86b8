// Debug information that LLVM's reader does not survive costs the lines, not the report: no crash, and no wrong status.
// REQUIRES: emulator, landlock
// RUN: %gpucc -g -O1 %s -o %t
// RUN: %gpuexec %t 2> %t.err; test $? -eq 139; FileCheck --check-prefixes=CHECK,LINES %s < %t.err
// RUN: %python %S/Inputs/damage.py %t %t.bad .debug_line 44 0
// RUN: %gpuexec %t.bad > %t.out 2> %t.err; test $? -eq 139; FileCheck --check-prefixes=CHECK,BAD %s < %t.err; grep -x x %t.out
// Wherever it stands still, too.
// RUN: %gpuexec --timeout=1 %t.bad loop 2> %t.err; test $? -eq 124; grep "no line numbers: the debug information cannot be read" %t.err
// In a sandbox, where no process may be started, the one that reads was started before.
// RUN: %gpuexec --sandbox %t 2> %t.err; test $? -eq 139; FileCheck --check-prefixes=CHECK,LINES %s < %t.err
// RUN: %gpuexec --sandbox %t.bad 2> %t.err; test $? -eq 139; FileCheck --check-prefixes=CHECK,BAD %s < %t.err
// CHECK: error: {{.*}}kernel '_start': memory fault at 0x0000001234567894, not mapped
// CHECK-NEXT: device fault: read of 4 bytes: unmapped memory at address 0x1234567894
// CHECK: kernel _start, block (0,0,0), wave 0, thread (0,0,0)
// LINES: in deep {{.*}}debug-information.c:[[#@LINE + 9]]
// LINES-NEXT: in middle {{.*}}debug-information.c:[[#@LINE + 13]]:{{[0-9]+}} (inlined)
// LINES-NEXT: in main {{.*}}debug-information.c:[[#@LINE + 18]]
// LINES-NOT: no line numbers
// BAD: in deep+0x
// BAD: in main+0x
// BAD: (no line numbers: the debug information cannot be read: its process {{.*}})
#include <stdio.h>

__attribute__((noinline)) int deep(int *p) { return *p; }

static inline int middle(int *p, int argc) {
  for (volatile int i = argc; i > 1;)
    ;
  return deep(p) + 1;
}

int main(int argc, char **argv) {
  puts("x");
  fflush(stdout);
  return middle((int *)0x1234567890 + argc, argc);
}
