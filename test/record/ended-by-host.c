// REQUIRES: emulator
// The host ends a program when its alarm rings, or when nobody reads its pipe. A replay knows when that was due, though the
// program makes no call then: it computes for ever, or has just been answered.
// RUN: rm -rf %t && mkdir -p %t && cd %t && %gpucc -O1 %s -o p
// RUN: for how in alarm:142 pipe:141; do bash -c '%gpuexec --record r p $0 > out 2> err' ${how%%:*}; test $? -eq ${how##*:} || \
// RUN:   { cat err >&2; echo "failed: recording $how" >&2; exit 1; }; \
// RUN:   for player in "%gpuexec --timeout 60 --replay" "timeout 60 %bin/gpu-replay --device=emulator"; do \
// RUN:     bash -c "$player r > again 2> err"; test $? -eq ${how##*:} && cmp out again && grep -qx said again || \
// RUN:     { cat err >&2; echo "failed: $how, $player" >&2; exit 1; }; done; done
//
// The reader of standard output has gone: what it was given before is printed, and the end is that of SIGPIPE.
// RUN: bash -c '%gpuexec --record r p stdout 2> err | head -n 1 > out; test ${PIPESTATUS[0]} -eq 141' && grep -qx said out
// RUN: for player in "%gpuexec --timeout 60 --replay" "timeout 60 %bin/gpu-replay --device=emulator"; do \
// RUN:   bash -c "$player r > again 2> err"; test $? -eq 141 && head -n 1 again | cmp - out || \
// RUN:   { cat err >&2; echo "failed: $player" >&2; exit 1; }; done
//
// Many waves: all that they had printed before the end is there.
// RUN: bash -c '%gpuexec --threads 64 --blocks 4 --record r p alarm > out 2> err'; test $? -eq 142 && grep -cx said out | grep -x 256
// RUN: for player in "%gpuexec --timeout 60 --replay" "timeout 60 %bin/gpu-replay --device=emulator"; do \
// RUN:   bash -c "$player r > again 2> err"; test $? -eq 142 && cmp out again || { cat err >&2; echo "failed: $player" >&2; exit 1; }; done
#include "../Inputs/expect.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile int never;

int main(int argc, char **argv) {
  if (!strcmp(argv[1], "alarm") && thread_of_the_grid() == 0)
    ualarm(500000, 0);
  write(1, "said\n", 5);
  if (!strcmp(argv[1], "pipe")) {
    int ends[2];
    if (pipe(ends) || close(ends[0]))
      return 1;
    write(ends[1], "x", 1);
    return 2;
  }
  for (long i = 0; !never; ++i)
    if (!strcmp(argv[1], "stdout"))
      printf("line %ld\n", i);
}
