// What a program has printed when it is ended at a random moment (test/Inputs/kill_output.py): records, text and characters in one buffer.
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %python %inputs/kill_output.py 12 %run -- %t
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const int by_line = !strcmp(argv[1], "line"), lines = atoi(argv[2]);
  if (by_line)
    setvbuf(stdout, NULL, _IOLBF, 0);
  char number[32];
  for (int i = 0; i < lines; ++i) {
    // The same line by several calls.
    switch (i % 4) {
    case 0:
      printf("%d %s %.1f\n", i, "word", i * 0.5);
      break;
    case 1:
      printf("%d ", i);
      fputs("word", stdout);
      printf(" %.1f\n", i * 0.5);
      break;
    case 2:
      sprintf(number, "%d word %.1f", i, i * 0.5);
      puts(number);
      break;
    default:
      if (printf("%d word", i) < 0)
        return 1;
      putchar(' ');
      printf("%.1f%c", i * 0.5, '\n');
    }
    if (by_line || i % 10 == 9) {
      const int size = sprintf(number, "%d\n", i + 1);
      write(2, number, size);
    }
  }
  return 0;
}
