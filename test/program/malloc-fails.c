// An allocation that cannot be served is NULL, the program goes on, and realloc leaves the old block alone.
// RUN: %gpucc -O0 %s -o %t
// RUN: %run %t | FileCheck %s
// CHECK: 0 0 0 0 0
// CHECK-NEXT: still here
// CHECK-NEXT: went on
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *kept = strcpy(malloc(32), "still here");
  volatile size_t huge = SIZE_MAX, terabytes = (size_t)1 << 46;
  printf("%d %d %d %d %d\n", malloc(huge) != NULL, malloc(terabytes) != NULL, calloc(huge / 2, 4) != NULL,
         realloc(kept, terabytes) != NULL, malloc(huge - 4096) != NULL);
  puts(kept);
  char *after = malloc(1000);
  puts(after ? "went on" : "broken");
  return 0;
}
