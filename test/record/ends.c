// REQUIRES: emulator
// However a run ended, its recording says so and its replay ends the same way.
// RUN: %gpucc -O1 %s -o %t
// RUN: for how in exit abort fault; do %run --record %t.r %t $how > %t.out 2> %t.err; status=$?; %run --replay %t.r > %t.again 2> %t.err2; \
// RUN:   test $? -eq $status && test $status -ne 0 && cmp %t.out %t.again && grep -q said %t.again || { cat %t.err2 >&2; echo "failed: $how" >&2; exit 1; }; done
//
// A run that was ended from outside: its replay makes the same calls, and is told that the recording ends there.
// RUN: %gpuexec --timeout 0.5 --record %t.r %t wait > %t.out 2> %t.err; test $? -eq 124
// RUN: %gpuexec --timeout 0.5 --replay %t.r > %t.again 2> %t.err; test $? -eq 124
//
// One whose gpuexec was killed: good up to there, and not taken for the whole.
// RUN: { %gpuexec --record %t.r %t wait > %t.out 2> %t.err & pid=$!; sleep 1; kill -KILL $pid; wait $pid; } 2> /dev/null; true
// RUN: %gpuexec --timeout 0.5 --replay %t.r > %t.again 2> %t.err; test $? -eq 125 && grep -x said %t.again
// RUN: grep "the recording was cut off after" %t.err
//
// Cut in the middle it is an error in words.
// RUN: head -c 300 %t.r > %t.cut && %python %inputs/one_line.py 125 "cut off before the program began" %gpuexec --replay %t.cut
// RUN: %python %inputs/one_line.py 125 "not a recording" %gpuexec --replay %s
// RUN: %python %inputs/one_line.py 125 "No such file" %gpuexec --replay %t.none
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

volatile int never;

int main(int argc, char **argv) {
  write(1, "said\n", 5);
  if (!strcmp(argv[1], "exit"))
    exit(9);
  if (!strcmp(argv[1], "abort"))
    abort();
  if (!strcmp(argv[1], "fault"))
    *(volatile int *)16 = 1;
  while (!never)
    ;
}
