// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text that a program prints: text WHAT LINES [FILE FILE]. Each thread prints LINES lines, or characters with `putchar`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  const long lines = argc > 2 ? atol(argv[2]) : 0;
  if (!strcmp(what, "printf")) {
    for (long i = 0; i < lines; ++i)
      printf("%ld %s\n", i, "word");
  } else if (!strcmp(what, "doubles")) {
    for (long i = 0; i < lines; ++i)
      printf("%g %f %e\n", i * 0.1, i * 0.37, i * 1e5);
  } else if (!strcmp(what, "puts")) {
    for (long i = 0; i < lines; ++i)
      puts("a line of text");
  } else if (!strcmp(what, "putchar")) {
    for (long i = 0; i < lines; ++i)
      putchar(i % 60 ? 'a' + (int)(i % 26) : '\n');
  } else if (!strcmp(what, "files") && argc == 5) {
    FILE *files[2] = {fopen(argv[3], "w"), fopen(argv[4], "w")};
    if (!files[0] || !files[1])
      return 1;
    for (long i = 0; i < lines; ++i)
      fprintf(files[i % 2], "%ld %s\n", i, "word");
    if (fclose(files[0]) || fclose(files[1]))
      return 1;
  } else {
    fprintf(stderr, "usage: text printf|doubles|puts|putchar LINES\n"
                    "       text files LINES FILE FILE\n");
    return 2;
  }
  return 0;
}
