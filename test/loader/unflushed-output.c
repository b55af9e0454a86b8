// What a program has printed is not lost when it hangs, is interrupted or faults with output still in its own buffer.
// RUN: rm -rf %t.d && mkdir -p %t.d
// RUN: %gpucc -O2 %s -o %t
// RUN: cd %t.d && %run --timeout 2 %t hang > out 2> err; test $? -eq 124; FileCheck %s < out
// RUN: cd %t.d && %run %t fault > out 2> err; test $? -eq 139; FileCheck %s < out
// RUN: cd %t.d && %run %t abort > out 2> err; test $? -eq 134; FileCheck %s < out
// RUN: cd %t.d && %run %t exit > out; test $? -eq 3; FileCheck %s < out
// A signal to the process that started it all is the user's.
// RUN: cd %t.d && %python -c "import signal, subprocess, sys, time; p = subprocess.Popen(sys.argv[1:], stdout=open('out', 'w'), stderr=subprocess.PIPE); p.stderr.readline(); time.sleep(0.2); p.send_signal(signal.SIGTERM); sys.exit(p.wait(20) != -signal.SIGTERM)" %run %t hang
// RUN: cd %t.d && FileCheck %s < out
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
