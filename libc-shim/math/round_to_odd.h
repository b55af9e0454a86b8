//===-- libc-shim/math/round_to_odd.h - Rounding to odd -------------------===//
// Doubles that are to be rounded to float or to half.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_MATH_WIDE_H
#define GPUEXEC_LIBC_MATH_WIDE_H

/// `high` + `rest`, where |rest| is at most half of the last place of `high`,
/// rounded to odd: where the result is not exact, its last bit is set. Rounded
/// once more it is what rounding the exact result would have given, since no
/// tie is one that was not there. The others do arithmetic so.
double __round_to_odd(double high, double rest);
double __add_to_odd(double, double);
double __multiply_to_odd(double, double);
double __divide_to_odd(double, double);
double __sqrt_to_odd(double);
double __fma_to_odd(double x, double y, double z);

/// tanpif(), asinpif() and exp2m1f() before they are rounded; errno but for
/// results that are too large.
double __tanpi(double);
double __asinpi(double);
double __exp2m1(double);

#endif
