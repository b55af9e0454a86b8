// char arguments, members of arguments and results with the sign bit set: compared with constants one after the other, for equality
// and order, and extended with sign and with zeros. ptxas 13.0 translates a signed byte of a parameter wrongly (from -O1 on), where
// LLVM loads it so (toolchain/passes/fixes/hide_signed_bytes.cpp).
// RUN: for level in 0 1 2; do %gpucc %lanes -O$level %s -o %t.$level || { echo "failed: level=$level" >&2; exit 1; }; done
// RUN: for level in 0 1 2; do %run %t.$level > %t.out && FileCheck %s < %t.out || { echo "failed: level=$level" >&2; cat %t.out; exit 1; }; done
// CHECK: all right
#include <stdio.h>

#define APART __attribute__((noinline))

static int wrong;

static void expect(const char *what, int c, int found, int expected) {
  if (found != expected) {
    printf("%s of %d: %d, expected %d\n", what, c, found, expected);
    wrong = 1;
  }
}

APART int compare_chain(char c) {
  if (c == (char)0x87)
    return 1;
  if (c == 0x54)
    return 2;
  if (c == -1)
    return 3;
  if (c < -100)
    return 4;
  return c != (char)0xe4 ? c != 0x20 ? 5 : 6 : 7;
}
static int expected_chain(int c) {
  switch (c) {
  case 0x87 - 256:
    return 1;
  case 0x54:
    return 2;
  case -1:
    return 3;
  case 0x20:
    return 6;
  case 0xe4 - 256:
    return 7;
  }
  return c < -100 ? 4 : 5;
}

APART int in_switch(signed char c) {
  switch (c) {
  case -128:
    return 10;
  case -2:
    return 11;
  case 65:
    return 12;
  case -77:
    return 13;
  }
  return 14;
}
static int expected_switch(int c) { return c == -128 ? 10 : c == -2 ? 11 : c == 65 ? 12 : c == -77 ? 13 : 14; }

APART unsigned zeros_behind_sign(char c) { return (unsigned short)(short)c; }
APART int between(char first, char second) { return first == second ? 1 : first < second ? 2 : 3; }

// The value goes on to the next function as it came.
static char kept;
APART void check_kept(char c) {
  if (c != 0x54 && c != (char)0x87 && c == kept)
    expect("kept", c, c, kept);
}
APART int pass_on(const char *text) {
  char c = text[0];
  int wide = c;
  if ((wide >= 0 && wide <= 0x7f) == 0)
    kept = c;
  check_kept(c);
  return compare_chain(c);
}

typedef struct {
  char first, second;
} pair;
APART int in_structure(pair p) { return p.second == (char)0x87 ? 1 : p.second == p.first ? 2 : p.second < 0 ? 3 : 4; }
APART pair swapped(char c, char d) { return (pair){d, c}; }
APART char negated(char c) { return (char)-c; }

int main(void) {
  for (int i = -128; i < 128; ++i) {
    const char c = (char)i;
    expect("chain", i, compare_chain(c), expected_chain(i));
    expect("passed on", i, pass_on(&c), expected_chain(i));
    expect("switch", i, in_switch((signed char)c), expected_switch(i));
    expect("zeros behind sign", i, (int)zeros_behind_sign(c), i & 0xffff);
    expect("between", i, between(c, (char)-121), i == -121 ? 1 : i < -121 ? 2 : 3);
    expect("structure", i, in_structure((pair){(char)(i + 1), c}), i == -121 ? 1 : i < 0 ? 3 : 4);
    const pair back = swapped(c, (char)-121);
    expect("result's second", i, back.second == (char)-121, i == -121);
    expect("result's first", i, back.first == (char)-121, 1);
    expect("result", i, negated(c) == (char)121, i == -121);
  }
  if (!wrong)
    puts("all right");
  return wrong;
}
