// An array of variable length in an unrolled loop of constant length: the stack pointer is saved before each array takes its memory, though
// nothing but that order holds the two together.
// RUN: for level in 1 2 3; do %gpucc -O$level %s -o %t && %run %t || { echo "failed: -O$level" >&2; exit 1; }; done
void *volatile last;

int main(void) {
  int n = 0;
again:;
  int numbers[n % 1000 + 1];
  numbers[0] = 1;
  numbers[n % 1000] = 2;
  last = numbers;
  if (++n < 40000)
    goto again;
  return 0;
}
