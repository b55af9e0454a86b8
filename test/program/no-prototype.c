// Calls of variadic functions by who has not seen their prototype, as every configure script makes them (char snprintf();):
// with what they take, with less than they name, with another result. LLVM 22 ended with a stack dump.
// RUN: %gpucc %lanes -O2 -std=c17 -w %s -o %t
// RUN: %run --threads 64 %t | sort | uniq -c | FileCheck %s
// RUN: %gpucc %lanes -O0 -std=c17 -w %s -o %t.plain
// RUN: %run %t.plain | FileCheck %s
// RUN: %gpucc -O2 -fno-lto -std=c17 -w %s -o %t.object
// RUN: %run %t.object | FileCheck %s
// CHECK: 60, 7, 255
#include <stdarg.h>
#include <stdio.h>

int sum(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  while (count-- > 0)
    total += va_arg(list, int);
  va_end(list);
  return total;
}
int always_seven(const char *unused, ...) { return 7; }
int minus_one(int unused, ...) { return -1; }

int unknown_sum() __asm__("sum");
int unknown_seven() __asm__("always_seven");
unsigned char unknown_character() __asm__("minus_one");
char snprintf_of_configure() __asm__("snprintf");
char fcntl();

int main(int argc, char **argv) {
  if (argc == 100)
    return snprintf_of_configure() + fcntl();
  printf("%d, %d, %d\n", unknown_sum(3, 10, 20, 30), unknown_seven(), unknown_character());
  return 0;
}
