// A pointer into a null pointer, such as a macro for an offset makes, as an alternative to one into a variable: LLVM's
// InferAddressSpaces left the choice without this operand, and the compiler crashed (toolchain/passes/fixes/keep_flat_pointers.cpp).
// RUN: %hostcc %s -o %t.host && %t.host 1 2 3 > %t.expected
// RUN: %gpucc -O0 %s -o %t
// RUN: %run %t 1 2 3 | diff %t.expected -
// RUN: %gpucc -O1 %s -o %t
// RUN: %run %t 1 2 3 | diff %t.expected -
// RUN: %gpucc -O2 %s -o %t
// RUN: %run %t 1 2 3 | diff %t.expected -
// RUN: %gpucc -O2 -fno-lto %s -o %t
// RUN: %run %t 1 2 3 | diff %t.expected -
#include <stdio.h>

struct table {
  long first;
  int rows[8];
};
static struct table table = {1, {2, 3, 4}};
static const struct table constants = {5, {6, 7, 8}};

static const void *offset(int row) { return &((const struct table *)0)->rows[row]; }

int main(int argc, char **argv) {
  for (int i = 0; i < 8; ++i) {
    const void *variable = i < argc ? offset(i) : (const void *)&table.rows[i];
    const void *constant = i % 2 ? offset(i) : (const void *)&constants.rows[i];
    const void *other = i == argc ? constant : i & 2 ? variable : offset(argc);
    printf("%d: %d %d %d %d %d\n", i, variable == offset(i), variable == &table.rows[i], constant == offset(i),
           constant == &constants.rows[i], other == offset(argc));
  }
  return !argv[0];
}
