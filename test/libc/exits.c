// stdlib.h's ends of a program and assert.h: what runs, in which order, what is printed, and the status, as on the host.
// RUN: %hostcc %s -o %t.host
// RUN: %gpucc %lanes -O2 -w %s -o %t
// RUN: bash -c 'for how in return exit quick _Exit _exit abort assert nested full; do %t.host $how 2>&1; echo "$how: $?"; done' 2>/dev/null | sed 's/^[^ ]*host: //; s/ int main(int, char \*\*):/ main:/' > %t.expected
// RUN: bash -c 'for how in return exit quick _Exit _exit abort assert nested full; do %run %t $how 2>&1; echo "$how: $?"; done' 2>/dev/null | sed '/^gpuexec: .*: aborted$/d; s/^\(t\|[^ ]*tmp\): //' > %t.out
// RUN: diff %t.expected %t.out
// From 4096 threads at once: the handlers run once.
// RUN: %run --threads 256 --blocks 16 %t exit > %t.many; test $? = 3
// RUN: grep -c "first" %t.many | grep -qx 1
// RUN: %run --threads 256 --blocks 16 %t quick > %t.many; test $? = 4
// RUN: grep -c "quick two" %t.many | grep -qx 1
// RUN: not %run --threads 256 --blocks 16 %t assert 2> %t.many
// RUN: grep -q "exits.c:[0-9]*: .*Assertion .2 + 2 == 5. failed" %t.many
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void first(void) { puts("first"); }
static void second(void) { puts("second"); }
static void later(void) { puts("registered by a handler"); }
static void registers(void) {
  puts("registers");
  atexit(later);
}
static void quick_one(void) { puts("quick one"), fflush(stdout); }
static void quick_two(void) { puts("quick two"), fflush(stdout); }
static unsigned calls;
static void counted(void) { ++calls; }
static void told(void) { printf("%u calls\n", calls); }

// Before the threads: one of many may end the program before another has registered anything.
static int registered;
__attribute__((constructor)) static void register_all(void) {
  registered = !atexit(first) && !atexit(second) && !at_quick_exit(quick_one) && !at_quick_exit(quick_two);
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IONBF, 0); // what a program leaves in its buffers at _Exit is its own affair
  const char *how = argv[1];
  if (!registered)
    return 9;
  if (!strcmp(how, "nested"))
    atexit(registers);
  if (!strcmp(how, "full")) {
    atexit(told);
    for (int i = 0; i < 500; ++i)
      if (atexit(counted))
        return 10;
  }
  if (!strcmp(how, "exit"))
    exit(3);
  if (!strcmp(how, "quick"))
    quick_exit(4);
  if (!strcmp(how, "_Exit"))
    _Exit(5);
  if (!strcmp(how, "_exit"))
    _exit(6);
  if (!strcmp(how, "abort"))
    abort();
  if (!strcmp(how, "assert"))
    assert(2 + 2 == 5);
  if (!strcmp(how, "return"))
    return 259; // the low eight bits count
  return 0;
}
