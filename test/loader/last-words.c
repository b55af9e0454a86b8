// What a program has printed is not lost when it hangs, is interrupted or faults with output still in its own buffer.
// REQUIRES: emulator
// RUN: rm -rf %t && mkdir -p %t && cd %t && %gpucc -O2 %s -o image
// RUN: %gpuexec --timeout 2 image hang > out 2> err; test $? -eq 124; FileCheck %s < out
// RUN: %gpuexec image fault > out 2> err; test $? -eq 139; FileCheck %s < out
// RUN: %gpuexec image abort > out 2> err; test $? -eq 134; FileCheck %s < out
// RUN: %gpuexec image exit > out; test $? -eq 3; FileCheck %s < out
// RUN: %python -c "import signal, subprocess, sys, time; p = subprocess.Popen(sys.argv[1:], stdout=open('out', 'w'), stderr=subprocess.PIPE); p.stderr.readline(); time.sleep(0.2); p.send_signal(signal.SIGTERM); sys.exit(p.wait(20) != -signal.SIGTERM)" %gpuexec image hang
// RUN: FileCheck %s < out
// CHECK: printed and never flushed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int never;

int main(int argc, char **argv) {
  fputs("printed and never flushed", stdout);
  fputs("started\n", stderr);
  if (!strcmp(argv[1], "fault"))
    *(volatile int *)0x123456789000 = 1;
  if (!strcmp(argv[1], "abort"))
    abort();
  if (!strcmp(argv[1], "exit"))
    exit(3);
  while (!never)
    ;
  return 0;
}
