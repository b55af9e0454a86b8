//===-- cuda_bf16.h - bfloat16, numbers of 16 bits ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host and device compute in float and round each result to the nearest: for
// sums, products, quotients and square roots as if rounded once.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_BF16_H
#define GPUEXEC_CUDA_BF16_H
#define __CUDA_BF16_TYPES_EXIST__

#include "cuda_runtime.h"

#ifdef __cplusplus
#ifdef __CUDA__
#define GPUEXEC_BOTH static __inline__ __host__ __device__
#define GPUEXEC_MEMBER __host__ __device__
#define GPUEXEC_DEVICE static __inline__ __device__
#else
#define GPUEXEC_BOTH static inline
#define GPUEXEC_MEMBER
#endif

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

namespace gpuexec_cuda {
/// To the nearest, ties to even; a NaN becomes the one NaN.
GPUEXEC_BOTH unsigned short bfloat_bits(float value) {
  if (value != value)
    return 0x7fff;
  const unsigned int word = __builtin_bit_cast(unsigned int, value);
  return (unsigned short)((word + 0x7fff + (word >> 16 & 1)) >> 16);
}
GPUEXEC_BOTH float bfloat_value(unsigned short bits) {
  return __builtin_bit_cast(float, (unsigned int)bits << 16);
}
} // namespace gpuexec_cuda

struct __nv_bfloat16 {
  __nv_bfloat16() = default;
  GPUEXEC_MEMBER __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x) {}
#define GPUEXEC_FROM(TYPE)                                                     \
  GPUEXEC_MEMBER __nv_bfloat16(TYPE value)                                     \
      : __x(gpuexec_cuda::bfloat_bits((float)value)) {}                        \
  GPUEXEC_MEMBER __nv_bfloat16 &operator=(TYPE value) {                        \
    __x = gpuexec_cuda::bfloat_bits((float)value);                             \
    return *this;                                                              \
  }
  GPUEXEC_FROM(float)
  GPUEXEC_FROM(double)
  GPUEXEC_FROM(int)
  GPUEXEC_FROM(unsigned int)
  GPUEXEC_FROM(short)
  GPUEXEC_FROM(unsigned short)
  GPUEXEC_FROM(long long)
  GPUEXEC_FROM(unsigned long long)
#undef GPUEXEC_FROM
  GPUEXEC_MEMBER operator float() const {
    return (float)gpuexec_cuda::bfloat_value(__x);
  }
  GPUEXEC_MEMBER operator __nv_bfloat16_raw() const { return {__x}; }
#define GPUEXEC_TO(TYPE)                                                       \
  GPUEXEC_MEMBER explicit operator TYPE() const { return (TYPE)(float)*this; }
  GPUEXEC_TO(short)
  GPUEXEC_TO(unsigned short)
  GPUEXEC_TO(int)
  GPUEXEC_TO(unsigned int)
  GPUEXEC_TO(long long)
  GPUEXEC_TO(unsigned long long)
#undef GPUEXEC_TO
  GPUEXEC_MEMBER explicit operator bool() const { return __x & 0x7fff; }

  unsigned short __x; ///< the bits
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat162() = default;
  GPUEXEC_MEMBER __nv_bfloat162(const __nv_bfloat16 &x, const __nv_bfloat16 &y)
      : x(x), y(y) {}
  GPUEXEC_MEMBER __nv_bfloat162(const __nv_bfloat162_raw &raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  GPUEXEC_MEMBER operator __nv_bfloat162_raw() const { return {x.__x, y.__x}; }
  __nv_bfloat16 x, y;
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

namespace gpuexec_cuda {
GPUEXEC_BOTH float number(__nv_bfloat16 value) {
  return gpuexec_cuda::bfloat_value(value.__x);
}
GPUEXEC_BOTH __nv_bfloat16 rounded_bfloat16(float value) {
  return __nv_bfloat16_raw{gpuexec_cuda::bfloat_bits(value)};
}
} // namespace gpuexec_cuda

//===-- Conversions -------------------------------------------------------===//
GPUEXEC_BOTH __nv_bfloat16 __float2bfloat16(float v) {
  return __nv_bfloat16(v);
}
GPUEXEC_BOTH __nv_bfloat16 __float2bfloat16_rn(float v) {
  return __nv_bfloat16(v);
}
GPUEXEC_BOTH __nv_bfloat16 __double2bfloat16(double v) {
  return __nv_bfloat16(v);
}
GPUEXEC_BOTH float __bfloat162float(__nv_bfloat16 v) { return v; }
GPUEXEC_BOTH __nv_bfloat162 __float2bfloat162_rn(float v) {
  return {__nv_bfloat16(v), __nv_bfloat16(v)};
}
GPUEXEC_BOTH __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {__nv_bfloat16(x), __nv_bfloat16(y)};
}
GPUEXEC_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return {__nv_bfloat16(v.x), __nv_bfloat16(v.y)};
}
GPUEXEC_BOTH float2 __bfloat1622float2(__nv_bfloat162 v) {
  return float2{v.x, v.y};
}
GPUEXEC_BOTH float __low2float(__nv_bfloat162 v) { return v.x; }
GPUEXEC_BOTH float __high2float(__nv_bfloat162 v) { return v.y; }
GPUEXEC_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) {
  return {v, v};
}
GPUEXEC_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x,
                                               __nv_bfloat16 y) {
  return {x, y};
}
GPUEXEC_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
GPUEXEC_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
GPUEXEC_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) {
  return {v.x, v.x};
}
GPUEXEC_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) {
  return {v.y, v.y};
}
GPUEXEC_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) {
  return {v.y, v.x};
}
GPUEXEC_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a,
                                             __nv_bfloat162 b) {
  return {a.x, b.x};
}
GPUEXEC_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a,
                                              __nv_bfloat162 b) {
  return {a.y, b.y};
}
GPUEXEC_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}
#define GPUEXEC_NUMBER __nv_bfloat16
#define GPUEXEC_RAW __nv_bfloat16_raw
#define GPUEXEC_NAME bfloat16
#include <gpuexec/narrow_conversions.h>
GPUEXEC_BOTH short __bfloat16_as_short(__nv_bfloat16 v) { return (short)v.__x; }
GPUEXEC_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) {
  return v.__x;
}
GPUEXEC_BOTH __nv_bfloat16 __short_as_bfloat16(short v) {
  return __nv_bfloat16_raw{(unsigned short)v};
}
GPUEXEC_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) {
  return __nv_bfloat16_raw{v};
}

//===-- Arithmetic --------------------------------------------------------===//
GPUEXEC_BOTH __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) {
  return gpuexec_cuda::rounded_bfloat16(gpuexec_cuda::number(a) +
                                        gpuexec_cuda::number(b));
}
GPUEXEC_BOTH __nv_bfloat16 __hadd_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hadd(a, b);
}
GPUEXEC_BOTH __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hadd(a.x, b.x), __hadd(a.y, b.y)};
}
GPUEXEC_BOTH __nv_bfloat162 __hadd2_rn(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hadd2(a, b);
}
GPUEXEC_BOTH __nv_bfloat16 operator+(const __nv_bfloat16 &a,
                                     const __nv_bfloat16 &b) {
  return __hadd(a, b);
}
GPUEXEC_BOTH __nv_bfloat162 operator+(const __nv_bfloat162 &a,
                                      const __nv_bfloat162 &b) {
  return __hadd2(a, b);
}
GPUEXEC_BOTH __nv_bfloat16 &operator+=(__nv_bfloat16 &a,
                                       const __nv_bfloat16 &b) {
  return a = a + b;
}
GPUEXEC_BOTH __nv_bfloat162 &operator+=(__nv_bfloat162 &a,
                                        const __nv_bfloat162 &b) {
  return a = a + b;
}
GPUEXEC_BOTH __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) {
  return gpuexec_cuda::rounded_bfloat16(gpuexec_cuda::number(a) -
                                        gpuexec_cuda::number(b));
}
GPUEXEC_BOTH __nv_bfloat16 __hsub_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hsub(a, b);
}
GPUEXEC_BOTH __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hsub(a.x, b.x), __hsub(a.y, b.y)};
}
GPUEXEC_BOTH __nv_bfloat162 __hsub2_rn(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hsub2(a, b);
}
GPUEXEC_BOTH __nv_bfloat16 operator-(const __nv_bfloat16 &a,
                                     const __nv_bfloat16 &b) {
  return __hsub(a, b);
}
GPUEXEC_BOTH __nv_bfloat162 operator-(const __nv_bfloat162 &a,
                                      const __nv_bfloat162 &b) {
  return __hsub2(a, b);
}
GPUEXEC_BOTH __nv_bfloat16 &operator-=(__nv_bfloat16 &a,
                                       const __nv_bfloat16 &b) {
  return a = a - b;
}
GPUEXEC_BOTH __nv_bfloat162 &operator-=(__nv_bfloat162 &a,
                                        const __nv_bfloat162 &b) {
  return a = a - b;
}
GPUEXEC_BOTH __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) {
  return gpuexec_cuda::rounded_bfloat16(gpuexec_cuda::number(a) *
                                        gpuexec_cuda::number(b));
}
GPUEXEC_BOTH __nv_bfloat16 __hmul_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hmul(a, b);
}
GPUEXEC_BOTH __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hmul(a.x, b.x), __hmul(a.y, b.y)};
}
GPUEXEC_BOTH __nv_bfloat162 __hmul2_rn(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hmul2(a, b);
}
GPUEXEC_BOTH __nv_bfloat16 operator*(const __nv_bfloat16 &a,
                                     const __nv_bfloat16 &b) {
  return __hmul(a, b);
}
GPUEXEC_BOTH __nv_bfloat162 operator*(const __nv_bfloat162 &a,
                                      const __nv_bfloat162 &b) {
  return __hmul2(a, b);
}
GPUEXEC_BOTH __nv_bfloat16 &operator*=(__nv_bfloat16 &a,
                                       const __nv_bfloat16 &b) {
  return a = a * b;
}
GPUEXEC_BOTH __nv_bfloat162 &operator*=(__nv_bfloat162 &a,
                                        const __nv_bfloat162 &b) {
  return a = a * b;
}
GPUEXEC_BOTH __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) {
  return gpuexec_cuda::rounded_bfloat16(gpuexec_cuda::number(a) /
                                        gpuexec_cuda::number(b));
}
GPUEXEC_BOTH __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
GPUEXEC_BOTH __nv_bfloat16 operator/(const __nv_bfloat16 &a,
                                     const __nv_bfloat16 &b) {
  return __hdiv(a, b);
}
GPUEXEC_BOTH __nv_bfloat162 operator/(const __nv_bfloat162 &a,
                                      const __nv_bfloat162 &b) {
  return __h2div(a, b);
}
GPUEXEC_BOTH __nv_bfloat16 &operator/=(__nv_bfloat16 &a,
                                       const __nv_bfloat16 &b) {
  return a = a / b;
}
GPUEXEC_BOTH __nv_bfloat162 &operator/=(__nv_bfloat162 &a,
                                        const __nv_bfloat162 &b) {
  return a = a / b;
}
GPUEXEC_BOTH __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b,
                                  __nv_bfloat16 c) {
  return gpuexec_cuda::rounded_bfloat16((float)__builtin_fma(
      (double)gpuexec_cuda::number(a), (double)gpuexec_cuda::number(b),
      (double)gpuexec_cuda::number(c)));
}
GPUEXEC_BOTH __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b,
                                    __nv_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
GPUEXEC_BOTH __nv_bfloat16 __hneg(__nv_bfloat16 a) {
  return __nv_bfloat16_raw{(unsigned short)(a.__x ^ 0x8000)};
}
GPUEXEC_BOTH __nv_bfloat162 __hneg2(__nv_bfloat162 a) {
  return {__hneg(a.x), __hneg(a.y)};
}
GPUEXEC_BOTH __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return __nv_bfloat16_raw{(unsigned short)(a.__x & 0x7fff)};
}
GPUEXEC_BOTH __nv_bfloat162 __habs2(__nv_bfloat162 a) {
  return {__habs(a.x), __habs(a.y)};
}
GPUEXEC_BOTH __nv_bfloat16 operator-(const __nv_bfloat16 &a) {
  return __hneg(a);
}
GPUEXEC_BOTH __nv_bfloat162 operator-(const __nv_bfloat162 &a) {
  return __hneg2(a);
}
GPUEXEC_BOTH __nv_bfloat16 __hsat(__nv_bfloat16 a) {
  const float v = a;
  return v > 1 ? __nv_bfloat16(1.0f) : v > 0 ? a : __nv_bfloat16(0.0f);
}
GPUEXEC_BOTH __nv_bfloat16 __hadd_sat(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hsat(__hadd(a, b));
}
GPUEXEC_BOTH __nv_bfloat162 __hadd2_sat(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)};
}
GPUEXEC_BOTH __nv_bfloat16 __hsub_sat(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hsat(__hsub(a, b));
}
GPUEXEC_BOTH __nv_bfloat162 __hsub2_sat(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)};
}
GPUEXEC_BOTH __nv_bfloat16 __hmul_sat(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hsat(__hmul(a, b));
}
GPUEXEC_BOTH __nv_bfloat162 __hmul2_sat(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)};
}
GPUEXEC_BOTH __nv_bfloat16 __hfma_sat(__nv_bfloat16 a, __nv_bfloat16 b,
                                      __nv_bfloat16 c) {
  return __hsat(__hfma(a, b, c));
}

//===-- Comparisons -------------------------------------------------------===//
// A form with u is true where one is a NaN.
GPUEXEC_BOTH bool __heq(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a == (float)b;
}
GPUEXEC_BOTH bool __hequ(__nv_bfloat16 a, __nv_bfloat16 b) {
  return !((float)a < (float)b || (float)a > (float)b);
}
GPUEXEC_BOTH __nv_bfloat162 __heq2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__nv_bfloat16(__heq(a.x, b.x) ? 1.0f : 0.0f),
          __nv_bfloat16(__heq(a.y, b.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH bool __hbeq2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __heq(a.x, b.x) && __heq(a.y, b.y);
}
GPUEXEC_BOTH bool operator==(const __nv_bfloat16 &a, const __nv_bfloat16 &b) {
  return (float)a == (float)b;
}
GPUEXEC_BOTH bool operator==(const __nv_bfloat162 &a, const __nv_bfloat162 &b) {
  return a.x == b.x && a.y == b.y;
}
GPUEXEC_BOTH bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a < (float)b || (float)a > (float)b;
}
GPUEXEC_BOTH bool __hneu(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a != (float)b;
}
GPUEXEC_BOTH __nv_bfloat162 __hne2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__nv_bfloat16(__hne(a.x, b.x) ? 1.0f : 0.0f),
          __nv_bfloat16(__hne(a.y, b.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH bool __hbne2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hne(a.x, b.x) && __hne(a.y, b.y);
}
GPUEXEC_BOTH bool operator!=(const __nv_bfloat16 &a, const __nv_bfloat16 &b) {
  return (float)a != (float)b;
}
GPUEXEC_BOTH bool operator!=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) {
  return a.x != b.x && a.y != b.y;
}
GPUEXEC_BOTH bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a < (float)b;
}
GPUEXEC_BOTH bool __hltu(__nv_bfloat16 a, __nv_bfloat16 b) {
  return !((float)a >= (float)b);
}
GPUEXEC_BOTH __nv_bfloat162 __hlt2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__nv_bfloat16(__hlt(a.x, b.x) ? 1.0f : 0.0f),
          __nv_bfloat16(__hlt(a.y, b.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH bool __hblt2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hlt(a.x, b.x) && __hlt(a.y, b.y);
}
GPUEXEC_BOTH bool operator<(const __nv_bfloat16 &a, const __nv_bfloat16 &b) {
  return (float)a < (float)b;
}
GPUEXEC_BOTH bool operator<(const __nv_bfloat162 &a, const __nv_bfloat162 &b) {
  return a.x < b.x && a.y < b.y;
}
GPUEXEC_BOTH bool __hle(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a <= (float)b;
}
GPUEXEC_BOTH bool __hleu(__nv_bfloat16 a, __nv_bfloat16 b) {
  return !((float)a > (float)b);
}
GPUEXEC_BOTH __nv_bfloat162 __hle2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__nv_bfloat16(__hle(a.x, b.x) ? 1.0f : 0.0f),
          __nv_bfloat16(__hle(a.y, b.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH bool __hble2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hle(a.x, b.x) && __hle(a.y, b.y);
}
GPUEXEC_BOTH bool operator<=(const __nv_bfloat16 &a, const __nv_bfloat16 &b) {
  return (float)a <= (float)b;
}
GPUEXEC_BOTH bool operator<=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) {
  return a.x <= b.x && a.y <= b.y;
}
GPUEXEC_BOTH bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a > (float)b;
}
GPUEXEC_BOTH bool __hgtu(__nv_bfloat16 a, __nv_bfloat16 b) {
  return !((float)a <= (float)b);
}
GPUEXEC_BOTH __nv_bfloat162 __hgt2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__nv_bfloat16(__hgt(a.x, b.x) ? 1.0f : 0.0f),
          __nv_bfloat16(__hgt(a.y, b.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH bool __hbgt2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hgt(a.x, b.x) && __hgt(a.y, b.y);
}
GPUEXEC_BOTH bool operator>(const __nv_bfloat16 &a, const __nv_bfloat16 &b) {
  return (float)a > (float)b;
}
GPUEXEC_BOTH bool operator>(const __nv_bfloat162 &a, const __nv_bfloat162 &b) {
  return a.x > b.x && a.y > b.y;
}
GPUEXEC_BOTH bool __hge(__nv_bfloat16 a, __nv_bfloat16 b) {
  return (float)a >= (float)b;
}
GPUEXEC_BOTH bool __hgeu(__nv_bfloat16 a, __nv_bfloat16 b) {
  return !((float)a < (float)b);
}
GPUEXEC_BOTH __nv_bfloat162 __hge2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__nv_bfloat16(__hge(a.x, b.x) ? 1.0f : 0.0f),
          __nv_bfloat16(__hge(a.y, b.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH bool __hbge2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hge(a.x, b.x) && __hge(a.y, b.y);
}
GPUEXEC_BOTH bool operator>=(const __nv_bfloat16 &a, const __nv_bfloat16 &b) {
  return (float)a >= (float)b;
}
GPUEXEC_BOTH bool operator>=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) {
  return a.x >= b.x && a.y >= b.y;
}
GPUEXEC_BOTH bool __hisnan(__nv_bfloat16 a) { return (float)a != (float)a; }
GPUEXEC_BOTH int __hisinf(__nv_bfloat16 a) {
  return a.__x == 0x7f80 ? 1 : a.__x == (0x7f80 | 0x8000) ? -1 : 0;
}
GPUEXEC_BOTH __nv_bfloat162 __hisnan2(__nv_bfloat162 a) {
  return {__nv_bfloat16(__hisnan(a.x) ? 1.0f : 0.0f),
          __nv_bfloat16(__hisnan(a.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hisnan(a) || (float)a < (float)b ? b : a;
}
GPUEXEC_BOTH __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
GPUEXEC_BOTH __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hisnan(a) || (float)a > (float)b ? b : a;
}
GPUEXEC_BOTH __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}

#ifdef __CUDA__
//===-- Functions of device code ------------------------------------------===//
GPUEXEC_DEVICE __nv_bfloat16 hsqrt(__nv_bfloat16 a) {
  return __nv_bfloat16(::sqrtf((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2sqrt(__nv_bfloat162 a) {
  return {hsqrt(a.x), hsqrt(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hrsqrt(__nv_bfloat16 a) {
  return __nv_bfloat16(::rsqrtf((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2rsqrt(__nv_bfloat162 a) {
  return {hrsqrt(a.x), hrsqrt(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hexp(__nv_bfloat16 a) {
  return __nv_bfloat16(::expf((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2exp(__nv_bfloat162 a) {
  return {hexp(a.x), hexp(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hexp2(__nv_bfloat16 a) {
  return __nv_bfloat16(::exp2f((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2exp2(__nv_bfloat162 a) {
  return {hexp2(a.x), hexp2(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hexp10(__nv_bfloat16 a) {
  return __nv_bfloat16(::exp10f((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2exp10(__nv_bfloat162 a) {
  return {hexp10(a.x), hexp10(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hlog(__nv_bfloat16 a) {
  return __nv_bfloat16(::logf((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2log(__nv_bfloat162 a) {
  return {hlog(a.x), hlog(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hlog2(__nv_bfloat16 a) {
  return __nv_bfloat16(::log2f((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2log2(__nv_bfloat162 a) {
  return {hlog2(a.x), hlog2(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hlog10(__nv_bfloat16 a) {
  return __nv_bfloat16(::log10f((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2log10(__nv_bfloat162 a) {
  return {hlog10(a.x), hlog10(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hsin(__nv_bfloat16 a) {
  return __nv_bfloat16(::sinf((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2sin(__nv_bfloat162 a) {
  return {hsin(a.x), hsin(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hcos(__nv_bfloat16 a) {
  return __nv_bfloat16(::cosf((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2cos(__nv_bfloat162 a) {
  return {hcos(a.x), hcos(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hceil(__nv_bfloat16 a) {
  return __nv_bfloat16(::ceilf((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2ceil(__nv_bfloat162 a) {
  return {hceil(a.x), hceil(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hfloor(__nv_bfloat16 a) {
  return __nv_bfloat16(::floorf((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2floor(__nv_bfloat162 a) {
  return {hfloor(a.x), hfloor(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 htrunc(__nv_bfloat16 a) {
  return __nv_bfloat16(::truncf((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2trunc(__nv_bfloat162 a) {
  return {htrunc(a.x), htrunc(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hrint(__nv_bfloat16 a) {
  return __nv_bfloat16(::rintf((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2rint(__nv_bfloat162 a) {
  return {hrint(a.x), hrint(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 htanh(__nv_bfloat16 a) {
  return __nv_bfloat16(::tanhf((float)a));
}
GPUEXEC_DEVICE __nv_bfloat162 h2tanh(__nv_bfloat162 a) {
  return {htanh(a.x), htanh(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hrcp(__nv_bfloat16 a) {
  return __nv_bfloat16(1 / (float)a);
}
GPUEXEC_DEVICE __nv_bfloat162 h2rcp(__nv_bfloat162 a) {
  return {hrcp(a.x), hrcp(a.y)};
}
GPUEXEC_DEVICE __nv_bfloat16 hdiv(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hdiv(a, b);
}
GPUEXEC_DEVICE __nv_bfloat16 __shfl_sync(unsigned int mask, __nv_bfloat16 v,
                                         int lane, int width = 32) {
  return __builtin_bit_cast(
      __nv_bfloat16,
      (unsigned short)__shfl_sync(
          mask, (unsigned int)__builtin_bit_cast(unsigned short, v), lane,
          width));
}
GPUEXEC_DEVICE __nv_bfloat162 __shfl_sync(unsigned int mask, __nv_bfloat162 v,
                                          int lane, int width = 32) {
  return __builtin_bit_cast(
      __nv_bfloat162,
      (unsigned int)__shfl_sync(
          mask, (unsigned int)__builtin_bit_cast(unsigned int, v), lane,
          width));
}
GPUEXEC_DEVICE __nv_bfloat16 __shfl_up_sync(unsigned int mask, __nv_bfloat16 v,
                                            unsigned int by, int width = 32) {
  return __builtin_bit_cast(
      __nv_bfloat16,
      (unsigned short)__shfl_up_sync(
          mask, (unsigned int)__builtin_bit_cast(unsigned short, v), by,
          width));
}
GPUEXEC_DEVICE __nv_bfloat162 __shfl_up_sync(unsigned int mask,
                                             __nv_bfloat162 v, unsigned int by,
                                             int width = 32) {
  return __builtin_bit_cast(
      __nv_bfloat162,
      (unsigned int)__shfl_up_sync(
          mask, (unsigned int)__builtin_bit_cast(unsigned int, v), by, width));
}
GPUEXEC_DEVICE __nv_bfloat16 __shfl_down_sync(unsigned int mask,
                                              __nv_bfloat16 v, unsigned int by,
                                              int width = 32) {
  return __builtin_bit_cast(
      __nv_bfloat16,
      (unsigned short)__shfl_down_sync(
          mask, (unsigned int)__builtin_bit_cast(unsigned short, v), by,
          width));
}
GPUEXEC_DEVICE __nv_bfloat162 __shfl_down_sync(unsigned int mask,
                                               __nv_bfloat162 v,
                                               unsigned int by,
                                               int width = 32) {
  return __builtin_bit_cast(
      __nv_bfloat162,
      (unsigned int)__shfl_down_sync(
          mask, (unsigned int)__builtin_bit_cast(unsigned int, v), by, width));
}
GPUEXEC_DEVICE __nv_bfloat16 __shfl_xor_sync(unsigned int mask, __nv_bfloat16 v,
                                             int by, int width = 32) {
  return __builtin_bit_cast(
      __nv_bfloat16,
      (unsigned short)__shfl_xor_sync(
          mask, (unsigned int)__builtin_bit_cast(unsigned short, v), by,
          width));
}
GPUEXEC_DEVICE __nv_bfloat162 __shfl_xor_sync(unsigned int mask,
                                              __nv_bfloat162 v, int by,
                                              int width = 32) {
  return __builtin_bit_cast(
      __nv_bfloat162,
      (unsigned int)__shfl_xor_sync(
          mask, (unsigned int)__builtin_bit_cast(unsigned int, v), by, width));
}
GPUEXEC_DEVICE __nv_bfloat16 __ldg(const __nv_bfloat16 *p) { return *p; }
GPUEXEC_DEVICE __nv_bfloat162 __ldg(const __nv_bfloat162 *p) { return *p; }
GPUEXEC_DEVICE __nv_bfloat16 __ldcg(const __nv_bfloat16 *p) { return *p; }
GPUEXEC_DEVICE __nv_bfloat162 __ldcg(const __nv_bfloat162 *p) { return *p; }
GPUEXEC_DEVICE __nv_bfloat16 __ldca(const __nv_bfloat16 *p) { return *p; }
GPUEXEC_DEVICE __nv_bfloat162 __ldca(const __nv_bfloat162 *p) { return *p; }
GPUEXEC_DEVICE __nv_bfloat16 __ldlu(const __nv_bfloat16 *p) { return *p; }
GPUEXEC_DEVICE __nv_bfloat16 __ldcv(const __nv_bfloat16 *p) { return *p; }
GPUEXEC_DEVICE void __stwb(__nv_bfloat16 *p, __nv_bfloat16 v) { *p = v; }
GPUEXEC_DEVICE void __stcg(__nv_bfloat16 *p, __nv_bfloat16 v) { *p = v; }
GPUEXEC_DEVICE void __stcs(__nv_bfloat16 *p, __nv_bfloat16 v) { *p = v; }
GPUEXEC_DEVICE void __stwt(__nv_bfloat16 *p, __nv_bfloat16 v) { *p = v; }
GPUEXEC_DEVICE __nv_bfloat162 __ldlu(const __nv_bfloat162 *p) { return *p; }
GPUEXEC_DEVICE __nv_bfloat162 __ldcv(const __nv_bfloat162 *p) { return *p; }
GPUEXEC_DEVICE void __stwb(__nv_bfloat162 *p, __nv_bfloat162 v) { *p = v; }
GPUEXEC_DEVICE void __stcg(__nv_bfloat162 *p, __nv_bfloat162 v) { *p = v; }
GPUEXEC_DEVICE void __stcs(__nv_bfloat162 *p, __nv_bfloat162 v) { *p = v; }
GPUEXEC_DEVICE void __stwt(__nv_bfloat162 *p, __nv_bfloat162 v) { *p = v; }
GPUEXEC_DEVICE __nv_bfloat16 __ldcs(const __nv_bfloat16 *p) { return *p; }
GPUEXEC_DEVICE __nv_bfloat162 __ldcs(const __nv_bfloat162 *p) { return *p; }
/// By comparing and exchanging words: PTX has no such atomic for a half on all
/// processors.
GPUEXEC_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162 *address,
                                        __nv_bfloat162 value) {
  unsigned int *const word = (unsigned int *)address;
  for (unsigned int seen = *word;;) {
    const __nv_bfloat162 before = __builtin_bit_cast(__nv_bfloat162, seen);
    const unsigned int old = atomicCAS(
        word, seen, __builtin_bit_cast(unsigned int, __hadd2(before, value)));
    if (old == seen)
      return before;
    seen = old;
  }
}
GPUEXEC_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16 *address,
                                       __nv_bfloat16 value) {
  unsigned short *const word = (unsigned short *)address;
  for (unsigned short seen = *word;;) {
    const __nv_bfloat16 before = __nv_bfloat16_raw{seen};
    const unsigned short old =
        atomicCAS(word, seen, (unsigned short)__hadd(before, value).__x);
    if (old == seen)
      return before;
    seen = old;
  }
}
#undef GPUEXEC_DEVICE
#endif // __CUDA__

#define GPUEXEC_NUMBER __nv_bfloat16
#define GPUEXEC_PAIR __nv_bfloat162
#include <gpuexec/narrow_operations.h>

#undef GPUEXEC_BOTH
#undef GPUEXEC_MEMBER
#endif // __cplusplus

#endif
