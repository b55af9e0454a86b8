// A test that is its own program, on whatever device was chosen.
// RUN: %gpucc -O2 -I%S/../src %s %S/../src/roman.c -o %t
// RUN: %run --threads 64 %t | sort -u | FileCheck %s
// RUN: %gpuexec --version | FileCheck %s --check-prefix=VERSION
// VERSION: gpuexec
// CHECK: XLII
// CHECK-NOT: {{.}}
#include "roman.h"
#include <stdio.h>

int main(void) {
  char numeral[ROMAN_LONGEST];
  to_roman(42, numeral);
  puts(numeral);
  return 0;
}
