// A condition that is the same in all lanes, needed by a vector instruction, by scalar ones and by the loop's branch: the loop ends.
// RUN: %hostcc -O2 %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 1 2; do %gpucc -O$level %s -o %t.$level && %run %t.$level | diff %t.expected - || { echo "failed: -O$level" >&2; exit 1; }; done
#include <stdio.h>
#include <stdlib.h>

enum { step = 24, last = 1000 * step };

__attribute__((noinline)) static void chain(char *memory) {
  long at = 0;
  int more;
#pragma clang loop unroll(disable)
  do {
    more = at < last;
    *(char **)(memory + at) = more ? memory + at + step : NULL;
    at = more ? at + step : at;
  } while (more);
}
int main(void) {
  char **first = malloc(last + step);
  chain((char *)first);
  int count = 0;
  for (; first; first = (char **)*first)
    count++;
  printf("%d\n", count);
  return 0;
}
