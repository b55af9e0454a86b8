// A device fault ends with 139 and says where; what was printed before is not lost.
// RUN: %gpucc -O1 -g %s -o %t
// RUN: %run %t null > %t.out 2> %t.err; test $? -eq 139
// RUN: FileCheck %s --check-prefixes=OUT < %t.out
// RUN: %if emulator %{ FileCheck %s --check-prefixes=ERR,NULL < %t.err %}
// RUN: %run %t wild 2> %t.err; test $? -eq 139
// RUN: %if emulator %{ FileCheck %s --check-prefixes=ERR,WILD < %t.err %}
// RUN: %run %t past 2> %t.err; test $? -eq 139
// RUN: %if emulator %{ FileCheck %s --check-prefixes=ERR,PAST < %t.err %}
// A store may end behind its thread; a load cannot.
// RUN: %run --fault-report %t load > %t.out 2> %t.err; test $? -eq 139
// RUN: FileCheck %s --check-prefixes=OUT < %t.out
// RUN: %if emulator %{ FileCheck %s --check-prefixes=PLACE < %t.err %}
// RUN: %if nvptx %{ FileCheck %s --check-prefixes=PLACE < %t.err %}
// OUT: before the fault
// PLACE: block (0,0,0), {{.*}}thread (0,0,0)
// PLACE: in peek {{.*}}fault.c:{{[0-9]+}}
// PLACE: in {{main|_start}}
// NULL: {{null}}
// WILD: 0x123456789000
// PAST: {{(allocation|heap|mapped)}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) void poke(volatile int *where) {
  // ERR: fault.c:[[#@LINE + 1]]
  *where = 42;
}

__attribute__((noinline)) int peek(volatile int *where) { return *where; }

int main(int argc, char **argv) {
  printf("before the fault\n");
  if (!strcmp(argv[1], "null"))
    poke(0);
  else if (!strcmp(argv[1], "load"))
    return peek(0);
  else if (!strcmp(argv[1], "wild"))
    poke((int *)0x123456789000);
  else
    poke((int *)((char *)malloc(100) + (1ull << 40)));
  return 0;
}
