// What float.c and double.c compute: arithmetic of the type T, in every bit, on hard operands and random ones. Before this
// is included T, HARD(stream, index), RECORD(check, index, value) and F(name), the type's name of a function, are defined.
#include "hard.h"
#include <math.h>

#define PAIR(number, name, expression)                                         \
  {                                                                            \
    unsigned check = check_named(number, name);                                \
    for (uint64_t i = lane; i < PAIRS; i += LANES) {                           \
      T a = HARD(1, first_of(i)), b = HARD(2, second_of(i));                   \
      RECORD(check, i, expression);                                            \
    }                                                                          \
  }
#define SINGLE(number, name, expression)                                       \
  {                                                                            \
    unsigned check = check_named(number, name);                                \
    for (uint64_t i = lane; i < SINGLES; i += LANES) {                         \
      T a = HARD(3, i);                                                        \
      RECORD(check, i, expression);                                            \
    }                                                                          \
  }

static T fused(uint64_t i) {
  return F(fma)(HARD(1, first_of(i)), HARD(2, second_of(i)), HARD(4, i * 7 % PAIRS));
}

static T mantissa_and_exponent(T a) {
  int exponent = 0;
  T m = F(frexp)(a, &exponent);
  return a != a || a - a != 0 ? a : m + (T)exponent * 4;
}

static T whole_and_fraction(T a) {
  T whole, fraction = F(modf)(a, &whole);
  return fraction + (whole != 0 ? 2 : 1);
}

void lane(unsigned lane) {
  PAIR(0, "add", a + b)
  PAIR(1, "sub", a - b)
  PAIR(2, "mul", a * b)
  PAIR(3, "div", a / b)
  PAIR(4, "mul_add", a * b + a)
  PAIR(5, "less", (a < b) + 2 * (a <= b) + 4 * (a == b))
  PAIR(6, "unordered", __builtin_isunordered(a, b) + 2 * __builtin_islessgreater(a, b) + 4 * !(a < b) + 8 * !(a >= b))
  // Which zero fmin takes is free.
  PAIR(7, "fmin", F(fmin)(a, b) + (T)0)
  PAIR(8, "fmax", F(fmax)(a, b) + (T)0)
  PAIR(9, "copysign", F(copysign)(a, b))
  PAIR(10, "fdim", F(fdim)(a, b))
  PAIR(11, "nextafter", F(nextafter)(a, b))
  {
    unsigned check = check_named(12, "fma");
    for (uint64_t i = lane; i < PAIRS; i += LANES)
      RECORD(check, i, fused(i));
  }
  {
    unsigned check = check_named(13, "remainders");
    for (uint64_t i = lane; i < 3000; i += LANES) { // slow where the exponents are far apart
      T a = HARD(5, i + 100), b = HARD(6, i + 100);
      a = F(fabs)(a) > 1e20f || F(fabs)(a) < 1e-20f ? (T)i / 7 : a;
      b = F(fabs)(b) > 1e20f || F(fabs)(b) < 1e-20f ? (T)i / 3 + 1 : b;
      RECORD(check, 2 * i, F(fmod)(a, b));
      RECORD(check, 2 * i + 1, F(remainder)(a, b));
    }
  }
  SINGLE(20, "sqrt", F(sqrt)(a))
  SINGLE(21, "reciprocal", 1 / a)
  SINGLE(22, "thirds", a / 3 + a * (T)0.1)
  SINGLE(23, "trunc", F(trunc)(a))
  SINGLE(24, "floor", F(floor)(a))
  SINGLE(25, "ceil", F(ceil)(a))
  SINGLE(26, "rint", F(rint)(a))
  SINGLE(27, "nearbyint", F(nearbyint)(a))
  SINGLE(28, "round", F(round)(a))
  SINGLE(29, "fabs", F(fabs)(-a))
  SINGLE(30, "frexp", mantissa_and_exponent(a))
  SINGLE(31, "modf", whole_and_fraction(a))
  SINGLE(32, "logb", F(logb)(a))
  SINGLE(33, "ldexp", F(ldexp)(a, (int)(random_at(9, i) % 400) - 200))
  SINGLE(34, "scalbn_far", F(scalbn)(a, (int)(random_at(9, i) % 5000) - 2500))
  SINGLE(35, "class", isnan(a) + 2 * isinf(a) * isinf(a) + 4 * isfinite(a) + 8 * isnormal(a) + 16 * !!signbit(a) + 32 * (fpclassify(a) == FP_SUBNORMAL))
}
