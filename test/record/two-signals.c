// timeout(1) signals its command and then its group: the second signal, which comes at once, does not keep the recording from being
// ended. One that comes later ends gpuexec at once.
// REQUIRES: emulator
// RUN: rm -rf %t && mkdir %t && %gpucc -O1 %s -o %t/p && cd %t
// RUN: %python %source/test/record/Inputs/two_signals.py %build/bin/gpuexec p 20
#include <stdio.h>

int main(void) {
  puts("begun");
  fflush(stdout);
  for (volatile unsigned i = 0;; ++i)
    ;
}
