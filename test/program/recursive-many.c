// A hundred functions that call each other in one cycle, as an interpreter's do: LLVM's attributor, which looks at them together,
// does not crash, and each gets the results of its own calls.
// RUN: %hostcc -O1 %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 1 2; do %gpucc -O$level %s -o %t.$level && %run %t.$level | diff %t.expected - || { echo "failed: -O$level" >&2; exit 1; }; done
#include <stdio.h>

#define FOR_TEN(F, tens)                                                       \
  F(tens##0)                                                                   \
  F(tens##1) F(tens##2) F(tens##3) F(tens##4) F(tens##5) F(tens##6) F(tens##7) \
      F(tens##8) F(tens##9)
#define FOR_ALL(F)                                                             \
  FOR_TEN(F, 10)                                                               \
  FOR_TEN(F, 11) FOR_TEN(F, 12) FOR_TEN(F, 13) FOR_TEN(F, 14) FOR_TEN(F, 15)   \
      FOR_TEN(F, 16) FOR_TEN(F, 17) FOR_TEN(F, 18) FOR_TEN(F, 19)

static unsigned call(unsigned which, unsigned depth);

#define DEFINE(n)                                                              \
  static __attribute__((noinline)) unsigned f##n(unsigned depth) {             \
    if (depth == 0)                                                            \
      return n;                                                                \
    const unsigned one = call(n * 7 + depth, depth - 1);                       \
    const unsigned other = call(n * 13 + one, depth - 1);                      \
    return one > other ? one - other * n : other + one * n;                    \
  }
FOR_ALL(DEFINE)

static __attribute__((noinline)) unsigned call(unsigned which, unsigned depth) {
  switch (which % 100) {
#define CALL(n)                                                                \
  case n - 100:                                                                \
    return f##n(depth);
    FOR_ALL(CALL)
  }
  return 0;
}

int main(void) {
  for (unsigned which = 0; which < 8; which++)
    printf("%u\n", call(which * 31, 5));
  return 0;
}
