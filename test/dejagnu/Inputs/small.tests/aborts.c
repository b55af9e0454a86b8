// status: 134
// output: before
#include <stdio.h>
#include <stdlib.h>
#pragma omp declare target
int main(void) {
  puts("before");
  abort();
}
#pragma omp end declare target
