// REQUIRES: emulator
// With --record-without-environment neither the program nor the recording has a variable that was not named.
// RUN: %gpucc -O1 %s -o %t
// RUN: SECRET=hunter2 OTHER=1 %gpuexec --record %t.r --record-without-environment --env NAMED=yes %t > %t.out 2> %t.err
// RUN: grep -x "NAMED=yes, 1 variable" %t.out && grep "1 variable of its environment" %t.err && ! grep -a hunter2 %t.r
// RUN: SECRET=hunter2 %gpuexec --replay %t.r | cmp - %t.out
#include <stdio.h>
#include <stdlib.h>

extern char **environ;

int main(void) {
  int count = 0;
  while (environ[count])
    ++count;
  printf("NAMED=%s, %d variable\n", getenv("NAMED"), count);
  return getenv("SECRET") != 0;
}
