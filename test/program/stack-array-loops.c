// Loops over arrays of a function's own from their ends to their beginnings, by addresses below the array's, and indices that
// differ between lanes. LLVM 22 made addresses 4 GiB too low: it added a variable's place in its frame to a negative offset,
// and took the carry of that sum for the carry of the address.
// RUN: %hostcc %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 1 2 3 s; do %gpucc %lanes -O$level %s -o %t.$level && %run %t.$level > %t.out && diff %t.expected %t.out || { echo "failed: level=$level" >&2; exit 1; }; done
// RUN: %run --threads 64 --blocks 2 %t.2 | sort -u > %t.out && sort -u %t.expected | diff - %t.out
#include <stdio.h>

struct element {
  long number;
  int weight, other;
};

__attribute__((noinline)) static int take(void *place, int end) {
  struct element *element = place;
  return element->number == end ? -1 : element->weight;
}
__attribute__((noinline)) static void fill(struct element *all, int count) {
  for (int i = 0; i < count; ++i)
    all[i] = (struct element){i, 3 * i + 1, 0};
}

// The end is the same for all lanes, the beginning of the loop is not known.
__attribute__((noinline)) static int from_end(long from, int end) {
  struct element before[3], all[6];
  fill(before, 3);
  fill(all, 6);
  int sum = take(before, end);
  long at = from;
  do {
    at -= sizeof(struct element);
    sum = 5 * sum + take((char *)all + at, end);
  } while (at != 2 * sizeof(struct element));
  return sum;
}

__attribute__((noinline)) static int below(long back, int count) {
  struct element before[3], all[6];
  fill(before, 3);
  fill(all, 6);
  struct element *const middle = all + 3;
  int sum = take(before, 100);
  for (int i = 0; i < count; ++i)
    sum = 5 * sum + take(middle + (i & 1 ? -2 : -3), 100) + take(middle - back, 100);
  return sum;
}

int main(int argc, char **argv) {
  for (int i = 3; i <= 6; ++i)
    printf("%d\n", from_end(i * sizeof(struct element), 4));
  for (int i = -2; i <= 3; ++i)
    printf("%d %d\n", below(i, 3), below(i, 4));
  return 0;
}
