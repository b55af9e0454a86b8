// REQUIRES: emulator
// With 4096 threads a call belongs to its caller, and what they print is compared as a set of lines.
// RUN: rm -rf %t && mkdir -p %t && cd %t && unset _ && echo content > file
// RUN: for what in SAME CALL LINE; do %gpucc -O1 -g -D$what %s -o p && %run --threads 64 --blocks 64 --record $what p > out 2> err || \
// RUN:   { cat err >&2; echo "failed: $what" >&2; exit 1; }; done
// RUN: %gpucc -O1 -g -DSAME %s -o p && for i in 1 2 3; do %run --threads 64 --blocks 64 --record again p > out 2> err && \
// RUN:   %gpuexec --compare SAME again > found || { cat found >&2; echo "failed: time $i" >&2; exit 1; }; done
//
// RUN: %gpuexec --compare SAME CALL > found; test $? -eq 1 && FileCheck %s --check-prefix=CALL < found
// CALL: differs: wave 13, lanes 0x20: LSEEK: lane 5: offset: expected 837, found 1
// CALL-NEXT: SAME: call {{[0-9]+}}: LSEEK(
// CALL-NEXT: block (13,0,0), wave 0
// CALL: CALL: call {{[0-9]+}}: LSEEK(
//
// RUN: %gpuexec --compare SAME LINE > found; test $? -eq 1 && FileCheck %s --check-prefix=LINE < found
// LINE: differs: standard output: {{without the recorded|with another}} line '{{thread 837|another 837}}'
//
// Waves of 32 lanes beside waves of 64.
// RUN: %gpucc -O1 --arch=gfx1100 -DSAME %s -o p && %bin/gpuexec --threads 64 --blocks 64 --record narrow p > out 2> err
// RUN: %gpuexec --compare SAME narrow > found && grep "^note: device target: .*gfx1100" found
// RUN: %gpuexec --compare narrow SAME
// RUN: %gpuexec --compare narrow CALL > found; grep "^differs: wave 26, lanes 0x20: LSEEK: lane 5: offset: expected 837, found 1" found
//
// Another grid.
// RUN: %gpucc -O1 -DSAME %s -o p && %run --threads 64 --blocks 32 --record small p > out 2> err; %gpuexec --compare SAME small > found; test $? -eq 1
// RUN: grep '^differs: blocks: expected "64 1 1", found "32 1 1"' found
#include <fcntl.h>
#include <gpuintrin.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  const unsigned thread = __gpu_block_id(0) * 64 + __gpu_thread_id(0);
  unsigned offset = thread;
#ifdef CALL
  if (thread == 837)
    offset = 1;
#endif
  int file = open("file", O_RDONLY);
  if (lseek(file, offset, SEEK_SET) != offset)
    return 1;
  close(file);
  const char *name = "thread";
#ifdef LINE
  if (thread == 837)
    name = "another";
#endif
  printf("%s %u\n", name, thread);
  return 0;
}
