// Arguments arrive byte for byte: empty, 100 kB long, not UTF-8, looking like options, 10 000 of them.
// RUN: %gpucc -O2 %s -o %t.gpu
// RUN: %hostcc %s -o %t.host
// RUN: %python %inputs/argv.py %t.host %run %t.gpu
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  printf("%d\n", argc);
  for (int i = 1; i < argc; i++) {
    unsigned long hash = 5381;
    for (const char *c = argv[i]; *c; c++)
      hash = hash * 33 + (unsigned char)*c;
    printf("%d: %zu bytes, hash %lx, %.40s\n", i, strlen(argv[i]), hash, argv[i]);
  }
  return argv[argc] != NULL;
}
