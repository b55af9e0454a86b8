//===-- libc-shim/math/round_to_odd.h - Rounding to odd -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of double whose result will be rounded again, to float or to half.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_ROUND_TO_ODD_H
#define GPUEXEC_LIBC_ROUND_TO_ODD_H

/// `high` + `rest`, where |rest| is at most half an ulp of `high`, rounded to
/// odd: if the result is not exact, its last bit is set. The second rounding
/// then gives what rounding the exact result gives, because no tie appears that
/// the exact result does not have. The functions below round the same way.
double __round_to_odd(double high, double rest);
double __add_to_odd(double, double);
double __multiply_to_odd(double, double);
double __divide_to_odd(double, double);
double __sqrt_to_odd(double);
double __fma_to_odd(double x, double y, double z);

/// tanpif(), asinpif() and exp2m1f() before they are rounded. They set errno,
/// except for results that overflow only when rounded.
double __tanpi(double);
double __asinpi(double);
double __exp2m1(double);

#endif
