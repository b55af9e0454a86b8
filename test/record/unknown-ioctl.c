// REQUIRES: emulator
// What an unknown request of ioctl() is given may be an address, which another run has elsewhere: it is no part of the call.
// RUN: rm -rf %t && mkdir -p %t && cd %t && %gpucc -O1 -w %s -o p
// RUN: WHICH=heap %gpuexec --record heap p > out 2> err && WHICH=stack %gpuexec --record stack p > out 2> err
// RUN: %gpuexec --compare heap stack > found || { cat found >&2; exit 1; }
// RUN: grep -x "no difference in .* calls" found
//
// A number is one, of a request that takes a number.
// RUN: WHICH=number %gpuexec --record number p > out 2> err; %gpuexec --compare heap number > found; test $? -eq 1
// RUN: grep "differs: IOCTL: lane 0: a: expected 0, found 2" found
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

int main(void) {
  const char *which = getenv("WHICH");
  int on_stack = 0;
  void *in_heap = malloc(100);
  if (ioctl(1, 0x1234567, strcmp(which, "heap") ? &on_stack : in_heap) != -1 || errno != ENOTTY)
    return 1;
  ioctl(1, TCFLSH, strcmp(which, "number") ? 0 : 2);
  free(in_heap);
  return 0;
}
