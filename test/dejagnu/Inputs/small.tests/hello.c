// status: 5
// arguments: one two
// output: hello one two 64
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#pragma omp declare target
int main(int argc, char **argv) {
  char *copy = malloc(1 << 20);
  strcpy(copy, argv[1]);
  printf("hello %s %s %d\n", copy, argv[2], 1 << 6);
  free(copy);
  return argc + 2;
}
#pragma omp end declare target
