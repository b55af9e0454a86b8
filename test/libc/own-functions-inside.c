// What the C library does by itself does not change by a program's functions with the names of its own: as on the host, where a
// shared library calls itself by other names. (NVIDIA: it calls the program's.)
// REQUIRES: emulator
// RUN: %gpucc -O2 -fno-builtin %s -o %t && %run %t | FileCheck %s --match-full-lines
// RUN: %gpucc -O0 -g -fno-builtin %s -o %t && %run %t | FileCheck %s --match-full-lines
#include <stdio.h>
#include <stdlib.h>

int isspace(int c) { return c == 's'; }
int tolower(int c) { return c - 1; }
size_t strlen(const char *text) { return text[0] == 'x' ? 99 : 0; }
int fputc(int c, FILE *stream) { return c + (stream == stdout); }

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  int numbers[] = {3, 1, 2}, a = 0;
  qsort(numbers, 3, sizeof *numbers, compare);
  printf("%ld %d %d\n", strtol(" 12", NULL, 10), isspace(' '), isspace('s')); // CHECK: 12 0 1
  const int read = sscanf("  7", " %d", &a);
  printf("%d %d\n", read, a);                                                // CHECK-NEXT: 1 7
  puts("text");                                                              // CHECK-NEXT: text
  printf("%d %d\n", fputc('a', stdout), tolower('b'));                       // CHECK-NEXT: 98 97
  volatile const char *text = "xyz";
  printf("%d %s\n", (int)strlen((const char *)text), (const char *)text);    // CHECK-NEXT: 99 xyz
  return numbers[0] - 1;
}
