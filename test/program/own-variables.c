// errno, optarg and the others, declared by the program itself or by a header. They are this thread's.
// RUN: %hostcc -w -include errno.h %s -o %t.host && %t.host -a one -bc two three > %t.expected
// RUN: %gpucc %lanes -O2 -w %s -o %t
// RUN: %run %t -a one -bc two three | diff %t.expected -
// RUN: %gpucc %lanes -O0 -w %s -o %t.0
// RUN: %run %t.0 -a one -bc two three | diff %t.expected -
// The header's declarations, and machine code before the link:
// RUN: %gpucc %lanes -O2 -w -DINCLUDES %s -o %t.header
// RUN: %run %t.header -a one -bc two three | diff %t.expected -
// RUN: %gpucc -O2 -w -fno-lto -include stdio.h -DINCLUDES %s -o %t.machine-header
// RUN: %run --threads 64 --blocks 2 %t.machine-header -a one -bc two three | sort | uniq -c | FileCheck %s --check-prefix=MACHINE
// MACHINE: 128 a one
// A program's own getopt() and variables in one file, the header's names in another:
// RUN: %gpucc %lanes -O2 -w -DOWN_GETOPT -c %s -o %t.own.o
// RUN: %gpucc %lanes -O2 -w -DINCLUDES %s %t.own.o -o %t.own
// RUN: %run %t.own x y z w | FileCheck %s --check-prefix=OWN
// OWN: a x
// OWN: errno 22, index 4, w
// RUN: %run --threads 64 --blocks 4 %t -a one -bc two three | sort | uniq -c | FileCheck %s
// CHECK: 256 a one
// CHECK: 256 b
// CHECK: 256 c
// CHECK: 256 errno 22, index {{[45]}}, two
#if defined OWN_GETOPT
char *optarg;
int optind, opterr;
int getopt(int count, char *const *arguments, const char *letters) {
  optind = optind ? optind + 1 : 1;
  optarg = arguments[optind];
  return optind == 4 ? -1 : "abc"[optind - 1];
}
#define main not_main
#endif
#ifdef INCLUDES
#include <errno.h>
#include <unistd.h>
#else
extern char *optarg;
extern int optind, opterr;
extern int errno;
int getopt(), close();
#endif
int printf(const char *, ...);

struct option {
  int of_the_program;
};
// Parameters may have these names.
static char *from(char *optarg, int optind) { return optarg + optind; }
static int *where(int first) { return first ? &optind : &opterr; }

int main(int argc, char **argv) {
  struct option own = {0};
  int letter;
  opterr = 0;
  while ((letter = getopt(argc, argv, "a:bc")) != -1)
    printf("%c%s%s\n", letter, optarg && letter == 'a' ? " " : "", letter == 'a' ? optarg : "");
  errno = 22;
  printf("errno %d, index %d, %s\n", errno, *where(argc > 1), from(argv[optind], 0));
  if (close(-1) != -1 || errno != 9)
    printf("close: errno %d\n", errno);
  return own.of_the_program;
}
