// status: 7
// output: before
#include <stdio.h>
#include <stdlib.h>
#pragma omp declare target
static int deep(int n) { volatile char space[256]; space[0] = (char)n; return n ? deep(n - 1) + space[0] * 0 : 7; }
int main(void) {
  puts("before");
  exit(deep(100));
}
#pragma omp end declare target
