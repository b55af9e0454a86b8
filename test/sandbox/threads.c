/* Every thread of a confined program is confined: the three that are there when it
   happens (the main thread, the one that works, the one that keeps the process of the
   machine code), and those of the server and the emulator, which start later.

REQUIRES: emulator, landlock
The thread sanitizer has a pthread_create and a thread of its own.
UNSUPPORTED: tsan
RUN: %gpucc %lanes %s -o %t && %hostcc -shared -fPIC %S/Inputs/thread_probe.c -o %t.so
RUN: LD_PRELOAD=%t.so %gpuexec --sandbox --threads 256 --blocks 4 %t > %t.out 2> %t.err
RUN: FileCheck %s < %t.err
CHECK: main: starts outside
CHECK-NEXT: thread: starts outside
CHECK-NEXT: thread: starts outside
CHECK-NOT: outside
CHECK: thread: starts inside
CHECK-NOT: outside
CHECK: main: ends inside

The same as the kernel tells it of all processes, while the program runs: the second one and the demangler's.
RUN: %gpuexec --sandbox %t wait & pid=$!; sleep 1; \
RUN:   for task in $(ls -d /proc/$pid/task/?*); do cat $task/status; done > %t.status; \
RUN:   for task in $(for child in $(pgrep -P $pid); do ls -d /proc/$child/task/?*; done); do cat $task/status; done > %t.child; \
RUN:   cat %t.child >> %t.status; kill $pid; wait $pid; true
RUN: test $(grep -c '^Seccomp:.2$' %t.child) -ge 3
RUN: test $(grep -c '^Seccomp:.2$' %t.status) -ge 5
RUN: test $(grep -c '^NoNewPrivs:.1$' %t.status) -eq $(grep -c '^Pid:' %t.status)
RUN: test $(grep -c '^Seccomp:.2$' %t.status) -eq $(grep -c '^Pid:' %t.status)
*/
#include <stdio.h>

int main(int argc, char **argv) {
  for (volatile int i = 0; argc > 1; ++i)
    ;
  return 0;
}
