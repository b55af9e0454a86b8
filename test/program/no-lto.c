// Objects of machine code, without LTO, print as others do, whatever their formats.
// RUN: %hostcc %s -o %t.host && %t.host one two > %t.expected
// RUN: %gpucc -O2 -w -fno-lto -c %s -o %t.o
// RUN: %gpucc %t.o -o %t
// RUN: %run %t one two > %t.out
// RUN: diff %t.expected %t.out
// RUN: %gpucc -O0 -w -fno-lto %s -o %t.plain
// RUN: %run %t.plain one two > %t.out
// RUN: diff %t.expected %t.out
// RUN: %gpucc -O2 -fno-lto %source/examples/grep.c -o %t.grep
// RUN: %run %t.grep 'REQUIR.S' %s > %t.out
// RUN: grep 'REQUIR.S' %s | diff - %t.out
#include <stdio.h>

int main(int argc, char **argv) {
  const char *format = argc > 2 ? "%s and %s, %d\n" : "%s";
  printf(format, argv[1], argv[2], argc);
  printf("constant\n");
  printf("%s\n", argv[2]);
  printf("%c %5.2f %lx\n", 'c', 2.5, 255l);
  int (*print)(const char *, ...) = printf;
  return print("%d\n", 42) != 3;
}
