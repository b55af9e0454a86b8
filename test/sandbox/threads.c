/* Every thread of a confined process is confined: the two that are there when it
   happens, and those of the server and the emulator, which start later.

REQUIRES: emulator, landlock
RUN: %gpucc %s -o %t && %hostcc -shared -fPIC %S/Inputs/thread_probe.c -o %t.so
RUN: LD_PRELOAD=%t.so %gpuexec --sandbox --threads 256 --blocks 4 %t > %t.out 2> %t.err
RUN: FileCheck %s < %t.err
CHECK: main: starts outside
CHECK-NEXT: thread: starts outside
CHECK-NOT: outside
CHECK: thread: starts inside
CHECK-NOT: outside
CHECK: main: ends inside

The same as the kernel tells it, while the program runs.
RUN: %gpuexec --sandbox %t wait & pid=$!; sleep 1; for task in $(ls /proc/$pid/task); do cat /proc/$pid/task/$task/status; done > %t.status; kill $pid; wait $pid; true
RUN: test $(grep -c '^Seccomp:.2$' %t.status) -ge 4
RUN: test $(grep -c '^NoNewPrivs:.1$' %t.status) -eq $(grep -c '^Pid:' %t.status)
RUN: test $(grep -c '^Seccomp:.2$' %t.status) -eq $(grep -c '^Pid:' %t.status)
*/
#include <stdio.h>

int main(int argc, char **argv) {
  for (volatile int i = 0; argc > 1; ++i)
    ;
  return 0;
}
