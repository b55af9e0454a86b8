/* What gpuexec does beside running a program works when it is confined, and ends with the same status.

REQUIRES: emulator, landlock
RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && %gpucc -O1 -g %s -o p
RUN: %gpuexec --sandbox p status; test $? -eq 7
RUN: %gpuexec --sandbox p abort 2> err; test $? -eq 134 && grep -q 'p: aborted' err

A time limit, a signal, two programs at once.
RUN: %gpuexec --sandbox --timeout 3 p loop 2> err; test $? -eq 124 && grep -q 'timed out after 3' err && grep -q 'kernel _start' err
RUN: timeout --preserve-status -s TERM 2 %run --sandbox p loop & timeout --preserve-status -s INT 2 %run --sandbox p loop; test $? -eq 130 && wait $!; test $? -eq 143

A fault is told with its line.
RUN: %gpuexec --sandbox p fault > out 2> err; test $? -eq 139 && grep -q 'endings.c:[0-9]' err

Several runs and all reports.
RUN: %gpuexec --sandbox --repeat 3 --junit junit p status > out 2> err; test $? -eq 7 && grep -q '3 of 3 runs failed' err && grep -c '<failure' junit | grep -qx 3
RUN: %gpuexec --sandbox --until-fail p status 2> err; test $? -eq 7
RUN: %gpuexec --sandbox --stats --rpc-stats --check --verbose p time > out 2> err; test $? -eq 0 && grep -q 'sandbox .* ms' err

What the compiler has made is used there too, and the time zone is known.
RUN: GPUEXEC_EMULATOR_JIT=eager %gpuexec --sandbox p time > out && grep -qx done out
RUN: GPUEXEC_EMULATOR_JIT=verbose %gpuexec --sandbox p work 2>&1 | FileCheck %s --check-prefix=COMPILED
COMPILED: jit: pc
RUN: TZ=Asia/Tokyo %gpuexec --sandbox --env TZ p time > out && grep -qx done out

A descriptor that the shell has left open is not there any more.
RUN: echo x > other; (%run --sandbox p loop 5< other & pid=$!; sleep 2; readlink /proc/$pid/fd/5; kill $pid) | not grep other
RUN: (%run p loop 5< other & pid=$!; sleep 2; readlink /proc/$pid/fd/5; kill $pid) | grep other
RUN: %gpuexec --sandbox /dev/fd/5 status 5< p; test $? -eq 7
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv) {
  if (!strcmp(argv[1], "abort"))
    abort();
  if (!strcmp(argv[1], "fault"))
    *(volatile int *)16 = 1;
  for (volatile long i = 0; !strcmp(argv[1], "loop"); ++i)
    ;
  if (!strcmp(argv[1], "work")) {
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < 20000000; ++i)
      sum += i * 3;
  }
  if (!strcmp(argv[1], "time")) {
    time_t now = time(NULL);
    return localtime(&now) && puts("done") < 0;
  }
  return strcmp(argv[1], "work") ? 7 : 0;
}
