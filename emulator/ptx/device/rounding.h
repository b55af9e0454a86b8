//===-- emulator/ptx/device/rounding.h - Numbers of roundings --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler (lower/forms.h, lower/conversion.cpp) passes these numbers.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_DEVICE_ROUNDING_H
#define GPUEXEC_EMULATOR_PTX_DEVICE_ROUNDING_H

#include <stdint.h>

enum rounding { TO_NEAREST, TO_ZERO, DOWN, UP, TIES_AWAY };
enum format { F16, BF16, TF32, E4M3, E5M2, F32, F64 };

/// The code of `value` in `format` (a TF32 as the float that it is); a NaN is
/// NVIDIA's canonical one. `finite`: too large a number, or an infinity,
/// becomes the largest finite one.
uint64_t __gpuexec_ptx_encode(double value, int format, int rounding,
                              int finite);
/// The same of (-1)^negative * magnitude.
uint64_t __gpuexec_ptx_encode_integer(uint64_t magnitude, int negative,
                                      int format, int rounding);
/// The half, as bits, that the E4M3 or E5M2 `code` is.
uint32_t __gpuexec_ptx_decode8(uint32_t code, int format);

#define GPUEXEC_PTX_ROUNDED(TYPE, SUFFIX)                                      \
  TYPE __gpuexec_ptx_add_##SUFFIX(TYPE a, TYPE b, int rounding);               \
  TYPE __gpuexec_ptx_mul_##SUFFIX(TYPE a, TYPE b, int rounding);               \
  TYPE __gpuexec_ptx_div_##SUFFIX(TYPE a, TYPE b, int rounding);               \
  TYPE __gpuexec_ptx_sqrt_##SUFFIX(TYPE a, int rounding);                      \
  TYPE __gpuexec_ptx_fma_##SUFFIX(TYPE a, TYPE b, TYPE c, int rounding);
GPUEXEC_PTX_ROUNDED(float, f32)
GPUEXEC_PTX_ROUNDED(double, f64)
#undef GPUEXEC_PTX_ROUNDED

#endif
