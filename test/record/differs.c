// REQUIRES: emulator
// A program that does not do what was recorded is stopped at the first call that differs, with a message that says which, how, and
// where the program is. Here the device's counter is what no recording has.
// RUN: %gpucc -O1 -g %s -o %t && %run --record %t.r %t > %t.out 2> %t.err
// RUN: %gpuexec --replay %t.r > %t.again 2> %t.message; test $? -eq 125
// RUN: FileCheck %s --input-file=%t.message
// CHECK: error: {{.*}}.r: call {{[0-9]+}} differs: WRITE: lane 0: data: expected "the time is {{.*}}", found "the time is {{.*}}" (byte {{1[0-9]|2[0-9]|3[0-9]}} is the first that differs)
// CHECK: block (0,0,0), wave 0
// CHECK: in main{{.*}}differs.c:
#include <gpuintrin.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) void say(const char *text) {
  write(1, text, strlen(text));
}

int main(void) {
  char text[64];
  snprintf(text, sizeof text, "the time is %lu\n",
           (unsigned long)__builtin_readsteadycounter());
  say(text);
  return 0;
}
