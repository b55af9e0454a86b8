// setjmp and longjmp in recursion that goes on in the heap: out of 100 000 calls, from one depth to another, and again. The
// frames are freed.
// RUN: %hostcc -w %s -o %t.host && (ulimit -s unlimited; %t.host) > %t.expected
// RUN: for level in 0 2; do %gpucc -O$level -w %s -o %t.$level && %run --stack-size 16K --heap-size 64M %t.$level > %t.output.$level && diff %t.expected %t.output.$level || { echo "failed: -O$level" >&2; exit 1; }; done
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf out;

static long descend(int n, long carried) {
  if (n == 0)
    longjmp(out, (int)(carried & 0xffff) | 1);
  long deeper = descend(n - 1, carried * 3 + n);
  return deeper + carried;
}

// Every thousandth call is a target. What fails below one is tried otherwise.
static jmp_buf *handlers[200];
static int depth;
static long attempt(int n) {
  if (n == 0) {
    longjmp(*handlers[depth - 1], 5);
  }
  if (n % 1000)
    return attempt(n - 1) + 1;
  jmp_buf here;
  volatile int tries = 0;
  handlers[depth++] = &here;
  int value = setjmp(here);
  ++tries;
  long result;
  if (!value) {
    result = attempt(n - 1);
    --depth;
  } else {
    --depth;
    result = n + tries * 10 + value;
    if (n < 20000)
      longjmp(*handlers[depth - 1], (int)(result % 100) + 1);
  }
  return result;
}

int main(void) {
  for (volatile int i = 0; i < 20; ++i) {
    int value = setjmp(out);
    if (!value)
      descend(i < 3 ? 100000 : 20000, i);
    else if (i < 4)
      printf("jumped %d\n", value);
  }
  printf("attempt %ld\n", attempt(50000));
  printf("depth %d\n", depth);
  return 0;
}
