// Every byte value goes through standard input and output unharmed, in any amount.
// RUN: %gpucc -O2 %s -o %t
// RUN: %python -c "import random, sys; sys.stdout.buffer.write(random.Random(1).randbytes(1234567) + bytes(range(256)))" > %t.in
// RUN: %run %t < %t.in > %t.out
// RUN: cmp %t.in %t.out
// RUN: %run %t bytes < %t.in > %t.out
// RUN: cmp %t.in %t.out
// RUN: %run %t < /dev/null > %t.out
// RUN: cmp /dev/null %t.out
#include <stdio.h>

int main(int argc, char **argv) {
  static char buffer[10007];
  size_t length;
  int c;
  if (argc > 1)
    while ((c = getchar()) != EOF)
      putchar(c);
  else
    while ((length = fread(buffer, 1, sizeof buffer, stdin)) > 0)
      if (fwrite(buffer, 1, length, stdout) != length)
        return 1;
  return ferror(stdin) || fflush(stdout);
}
