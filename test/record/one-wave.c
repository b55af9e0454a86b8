// REQUIRES: emulator
// A program of one wave is replayed with the clock, process, input, files, environment and addresses that it had, although all of
// them are different by then; it prints the same and ends with the same status, as often as one wants.
// RUN: rm -rf %t && mkdir -p %t && %gpucc -O1 %s -o %t/p && cd %t
// RUN: printf 'first\nsecond\n' > file && printf 'from input\n' > input
// RUN: COLOUR=red %run --record r p file argument < input > out 2> err; test $? -eq 7
// RUN: grep "warning: r will hold all that the program reads" err
// RUN: FileCheck %s < out
// CHECK: time {{[0-9]+}}.{{[0-9]+}} {{[0-9.]+}}, process {{[0-9]+}}
// CHECK-NEXT: arguments: file argument
// CHECK-NEXT: COLOUR=red
// CHECK-NEXT: input: from input
// CHECK-NEXT: file: first
// CHECK-NEXT: file: second
// CHECK-NEXT: no file: 2
// CHECK-NEXT: block at 0x{{[0-9a-f]+}}
//
// RUN: rm p file input && grep -v warning err > err.program
// RUN: cd / && for i in 1 2 3; do COLOUR=blue %run --replay %t/r < /dev/null > %t/out.again 2> %t/err.again; test $? -eq 7 && \
// RUN:   cmp %t/out %t/out.again && cmp %t/err.program %t/err.again || { echo "failed: replay $i" >&2; exit 1; }; done
// RUN: test -e %t/written && rm %t/written && %run --replay %t/r > /dev/null 2>&1; test $? -eq 7 && ! test -e %t/written
//
// Live it takes what there is now.
// RUN: cd %t && printf 'third\n' > other && COLOUR=green %run --replay-live r other < /dev/null > live; test $? -eq 7
// RUN: FileCheck %s --check-prefix=LIVE < live
// LIVE: arguments: other
// LIVE-NEXT: COLOUR=green
// LIVE-NEXT: file: third
// LIVE-NEXT: no file: 2
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct timespec steady;
  clock_gettime(CLOCK_MONOTONIC, &steady);
  printf("time %ld.%09ld %.6f, process %d\narguments:", (long)time(NULL),
         steady.tv_nsec, (double)clock() / CLOCKS_PER_SEC, getpid());
  for (int i = 1; i < argc; ++i)
    printf(" %s", argv[i]);
  printf("\nCOLOUR=%s\n", getenv("COLOUR"));
  char line[100];
  while (fgets(line, sizeof line, stdin))
    printf("input: %s", line);
  FILE *file = fopen(argv[1], "r");
  while (fgets(line, sizeof line, file))
    printf("file: %s", line);
  fclose(file);
  file = fopen("/nowhere/at-all", "r");
  printf("no file: %d\n", file ? 0 : errno);
  file = fopen("written", "w");
  fputs("text\n", file);
  fclose(file);
#ifndef WITHOUT_ADDRESSES // which a GPU's driver gives anew in each run
  printf("block at %p\n", malloc(3 << 20));
#endif
  fprintf(stderr, "an error message\n");
  return 7;
}
