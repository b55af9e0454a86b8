// output: (line \d+\n)+line 2999\n$
#include <stdio.h>
#pragma omp declare target
int main(void) {
  for (int i = 0; i < 3000; ++i) // more than the queue of messages holds
    printf("line %d\n", i);
  return 0;
}
#pragma omp end declare target
