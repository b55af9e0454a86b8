//===-- cuda_fp16.h - half, numbers of 16 bits ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host and device compute with clang's _Float16: each operation is rounded
// once.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_FP16_H
#define GPUEXEC_CUDA_FP16_H
#define __CUDA_FP16_TYPES_EXIST__

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

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

namespace gpuexec_cuda {
using HalfNumber = _Float16;
GPUEXEC_BOTH unsigned short half_bits(_Float16 value) {
  return __builtin_bit_cast(unsigned short, value);
}
GPUEXEC_BOTH _Float16 half_value(unsigned short bits) {
  return __builtin_bit_cast(_Float16, bits);
}
} // namespace gpuexec_cuda

struct __half {
  __half() = default;
  GPUEXEC_MEMBER __half(const __half_raw &raw) : __x(raw.x) {}
#define GPUEXEC_FROM(TYPE)                                                     \
  GPUEXEC_MEMBER __half(TYPE value)                                            \
      : __x(gpuexec_cuda::half_bits((_Float16)value)) {}                       \
  GPUEXEC_MEMBER __half &operator=(TYPE value) {                               \
    __x = gpuexec_cuda::half_bits((_Float16)value);                            \
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
    return (float)gpuexec_cuda::half_value(__x);
  }
  GPUEXEC_MEMBER operator __half_raw() const { return {__x}; }
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

struct __attribute__((aligned(4))) __half2 {
  __half2() = default;
  GPUEXEC_MEMBER __half2(const __half &x, const __half &y) : x(x), y(y) {}
  GPUEXEC_MEMBER __half2(const __half2_raw &raw)
      : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  GPUEXEC_MEMBER operator __half2_raw() const { return {x.__x, y.__x}; }
  __half x, y;
};

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

namespace gpuexec_cuda {
GPUEXEC_BOTH _Float16 number(__half value) {
  return gpuexec_cuda::half_value(value.__x);
}
GPUEXEC_BOTH __half rounded_half(_Float16 value) {
  return __half_raw{gpuexec_cuda::half_bits(value)};
}
} // namespace gpuexec_cuda

//===-- Conversions -------------------------------------------------------===//
GPUEXEC_BOTH __half __float2half(float v) { return __half(v); }
GPUEXEC_BOTH __half __float2half_rn(float v) { return __half(v); }
GPUEXEC_BOTH __half __double2half(double v) { return __half(v); }
GPUEXEC_BOTH float __half2float(__half v) { return v; }
GPUEXEC_BOTH __half2 __float2half2_rn(float v) {
  return {__half(v), __half(v)};
}
GPUEXEC_BOTH __half2 __floats2half2_rn(float x, float y) {
  return {__half(x), __half(y)};
}
GPUEXEC_BOTH __half2 __float22half2_rn(float2 v) {
  return {__half(v.x), __half(v.y)};
}
GPUEXEC_BOTH float2 __half22float2(__half2 v) { return float2{v.x, v.y}; }
GPUEXEC_BOTH float __low2float(__half2 v) { return v.x; }
GPUEXEC_BOTH float __high2float(__half2 v) { return v.y; }
GPUEXEC_BOTH __half2 __half2half2(__half v) { return {v, v}; }
GPUEXEC_BOTH __half2 __halves2half2(__half x, __half y) { return {x, y}; }
GPUEXEC_BOTH __half __low2half(__half2 v) { return v.x; }
GPUEXEC_BOTH __half __high2half(__half2 v) { return v.y; }
GPUEXEC_BOTH __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
GPUEXEC_BOTH __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
GPUEXEC_BOTH __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
GPUEXEC_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
GPUEXEC_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
GPUEXEC_BOTH __half2 make_half2(__half x, __half y) { return {x, y}; }
#define GPUEXEC_NUMBER __half
#define GPUEXEC_RAW __half_raw
#define GPUEXEC_NAME half
#include <gpuexec/narrow_conversions.h>
GPUEXEC_BOTH short __half_as_short(__half v) { return (short)v.__x; }
GPUEXEC_BOTH unsigned short __half_as_ushort(__half v) { return v.__x; }
GPUEXEC_BOTH __half __short_as_half(short v) {
  return __half_raw{(unsigned short)v};
}
GPUEXEC_BOTH __half __ushort_as_half(unsigned short v) { return __half_raw{v}; }

//===-- Arithmetic --------------------------------------------------------===//
GPUEXEC_BOTH __half __hadd(__half a, __half b) {
  return gpuexec_cuda::rounded_half(gpuexec_cuda::number(a) +
                                    gpuexec_cuda::number(b));
}
GPUEXEC_BOTH __half __hadd_rn(__half a, __half b) { return __hadd(a, b); }
GPUEXEC_BOTH __half2 __hadd2(__half2 a, __half2 b) {
  return {__hadd(a.x, b.x), __hadd(a.y, b.y)};
}
GPUEXEC_BOTH __half2 __hadd2_rn(__half2 a, __half2 b) { return __hadd2(a, b); }
GPUEXEC_BOTH __half operator+(const __half &a, const __half &b) {
  return __hadd(a, b);
}
GPUEXEC_BOTH __half2 operator+(const __half2 &a, const __half2 &b) {
  return __hadd2(a, b);
}
GPUEXEC_BOTH __half &operator+=(__half &a, const __half &b) {
  return a = a + b;
}
GPUEXEC_BOTH __half2 &operator+=(__half2 &a, const __half2 &b) {
  return a = a + b;
}
GPUEXEC_BOTH __half __hsub(__half a, __half b) {
  return gpuexec_cuda::rounded_half(gpuexec_cuda::number(a) -
                                    gpuexec_cuda::number(b));
}
GPUEXEC_BOTH __half __hsub_rn(__half a, __half b) { return __hsub(a, b); }
GPUEXEC_BOTH __half2 __hsub2(__half2 a, __half2 b) {
  return {__hsub(a.x, b.x), __hsub(a.y, b.y)};
}
GPUEXEC_BOTH __half2 __hsub2_rn(__half2 a, __half2 b) { return __hsub2(a, b); }
GPUEXEC_BOTH __half operator-(const __half &a, const __half &b) {
  return __hsub(a, b);
}
GPUEXEC_BOTH __half2 operator-(const __half2 &a, const __half2 &b) {
  return __hsub2(a, b);
}
GPUEXEC_BOTH __half &operator-=(__half &a, const __half &b) {
  return a = a - b;
}
GPUEXEC_BOTH __half2 &operator-=(__half2 &a, const __half2 &b) {
  return a = a - b;
}
GPUEXEC_BOTH __half __hmul(__half a, __half b) {
  return gpuexec_cuda::rounded_half(gpuexec_cuda::number(a) *
                                    gpuexec_cuda::number(b));
}
GPUEXEC_BOTH __half __hmul_rn(__half a, __half b) { return __hmul(a, b); }
GPUEXEC_BOTH __half2 __hmul2(__half2 a, __half2 b) {
  return {__hmul(a.x, b.x), __hmul(a.y, b.y)};
}
GPUEXEC_BOTH __half2 __hmul2_rn(__half2 a, __half2 b) { return __hmul2(a, b); }
GPUEXEC_BOTH __half operator*(const __half &a, const __half &b) {
  return __hmul(a, b);
}
GPUEXEC_BOTH __half2 operator*(const __half2 &a, const __half2 &b) {
  return __hmul2(a, b);
}
GPUEXEC_BOTH __half &operator*=(__half &a, const __half &b) {
  return a = a * b;
}
GPUEXEC_BOTH __half2 &operator*=(__half2 &a, const __half2 &b) {
  return a = a * b;
}
GPUEXEC_BOTH __half __hdiv(__half a, __half b) {
  return gpuexec_cuda::rounded_half(gpuexec_cuda::number(a) /
                                    gpuexec_cuda::number(b));
}
GPUEXEC_BOTH __half2 __h2div(__half2 a, __half2 b) {
  return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
GPUEXEC_BOTH __half operator/(const __half &a, const __half &b) {
  return __hdiv(a, b);
}
GPUEXEC_BOTH __half2 operator/(const __half2 &a, const __half2 &b) {
  return __h2div(a, b);
}
GPUEXEC_BOTH __half &operator/=(__half &a, const __half &b) {
  return a = a / b;
}
GPUEXEC_BOTH __half2 &operator/=(__half2 &a, const __half2 &b) {
  return a = a / b;
}
GPUEXEC_BOTH __half __hfma(__half a, __half b, __half c) {
  return gpuexec_cuda::rounded_half(__builtin_fmaf16(gpuexec_cuda::number(a),
                                                     gpuexec_cuda::number(b),
                                                     gpuexec_cuda::number(c)));
}
GPUEXEC_BOTH __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
GPUEXEC_BOTH __half __hneg(__half a) {
  return __half_raw{(unsigned short)(a.__x ^ 0x8000)};
}
GPUEXEC_BOTH __half2 __hneg2(__half2 a) { return {__hneg(a.x), __hneg(a.y)}; }
GPUEXEC_BOTH __half __habs(__half a) {
  return __half_raw{(unsigned short)(a.__x & 0x7fff)};
}
GPUEXEC_BOTH __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
GPUEXEC_BOTH __half operator-(const __half &a) { return __hneg(a); }
GPUEXEC_BOTH __half2 operator-(const __half2 &a) { return __hneg2(a); }
GPUEXEC_BOTH __half __hsat(__half a) {
  const float v = a;
  return v > 1 ? __half(1.0f) : v > 0 ? a : __half(0.0f);
}
GPUEXEC_BOTH __half __hadd_sat(__half a, __half b) {
  return __hsat(__hadd(a, b));
}
GPUEXEC_BOTH __half2 __hadd2_sat(__half2 a, __half2 b) {
  return {__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)};
}
GPUEXEC_BOTH __half __hsub_sat(__half a, __half b) {
  return __hsat(__hsub(a, b));
}
GPUEXEC_BOTH __half2 __hsub2_sat(__half2 a, __half2 b) {
  return {__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)};
}
GPUEXEC_BOTH __half __hmul_sat(__half a, __half b) {
  return __hsat(__hmul(a, b));
}
GPUEXEC_BOTH __half2 __hmul2_sat(__half2 a, __half2 b) {
  return {__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)};
}
GPUEXEC_BOTH __half __hfma_sat(__half a, __half b, __half c) {
  return __hsat(__hfma(a, b, c));
}

//===-- Comparisons -------------------------------------------------------===//
// A form with u is true where one is a NaN.
GPUEXEC_BOTH bool __heq(__half a, __half b) { return (float)a == (float)b; }
GPUEXEC_BOTH bool __hequ(__half a, __half b) {
  return !((float)a < (float)b || (float)a > (float)b);
}
GPUEXEC_BOTH __half2 __heq2(__half2 a, __half2 b) {
  return {__half(__heq(a.x, b.x) ? 1.0f : 0.0f),
          __half(__heq(a.y, b.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH bool __hbeq2(__half2 a, __half2 b) {
  return __heq(a.x, b.x) && __heq(a.y, b.y);
}
GPUEXEC_BOTH bool operator==(const __half &a, const __half &b) {
  return (float)a == (float)b;
}
GPUEXEC_BOTH bool operator==(const __half2 &a, const __half2 &b) {
  return a.x == b.x && a.y == b.y;
}
GPUEXEC_BOTH bool __hne(__half a, __half b) {
  return (float)a < (float)b || (float)a > (float)b;
}
GPUEXEC_BOTH bool __hneu(__half a, __half b) { return (float)a != (float)b; }
GPUEXEC_BOTH __half2 __hne2(__half2 a, __half2 b) {
  return {__half(__hne(a.x, b.x) ? 1.0f : 0.0f),
          __half(__hne(a.y, b.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH bool __hbne2(__half2 a, __half2 b) {
  return __hne(a.x, b.x) && __hne(a.y, b.y);
}
GPUEXEC_BOTH bool operator!=(const __half &a, const __half &b) {
  return (float)a != (float)b;
}
GPUEXEC_BOTH bool operator!=(const __half2 &a, const __half2 &b) {
  return a.x != b.x && a.y != b.y;
}
GPUEXEC_BOTH bool __hlt(__half a, __half b) { return (float)a < (float)b; }
GPUEXEC_BOTH bool __hltu(__half a, __half b) { return !((float)a >= (float)b); }
GPUEXEC_BOTH __half2 __hlt2(__half2 a, __half2 b) {
  return {__half(__hlt(a.x, b.x) ? 1.0f : 0.0f),
          __half(__hlt(a.y, b.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH bool __hblt2(__half2 a, __half2 b) {
  return __hlt(a.x, b.x) && __hlt(a.y, b.y);
}
GPUEXEC_BOTH bool operator<(const __half &a, const __half &b) {
  return (float)a < (float)b;
}
GPUEXEC_BOTH bool operator<(const __half2 &a, const __half2 &b) {
  return a.x < b.x && a.y < b.y;
}
GPUEXEC_BOTH bool __hle(__half a, __half b) { return (float)a <= (float)b; }
GPUEXEC_BOTH bool __hleu(__half a, __half b) { return !((float)a > (float)b); }
GPUEXEC_BOTH __half2 __hle2(__half2 a, __half2 b) {
  return {__half(__hle(a.x, b.x) ? 1.0f : 0.0f),
          __half(__hle(a.y, b.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH bool __hble2(__half2 a, __half2 b) {
  return __hle(a.x, b.x) && __hle(a.y, b.y);
}
GPUEXEC_BOTH bool operator<=(const __half &a, const __half &b) {
  return (float)a <= (float)b;
}
GPUEXEC_BOTH bool operator<=(const __half2 &a, const __half2 &b) {
  return a.x <= b.x && a.y <= b.y;
}
GPUEXEC_BOTH bool __hgt(__half a, __half b) { return (float)a > (float)b; }
GPUEXEC_BOTH bool __hgtu(__half a, __half b) { return !((float)a <= (float)b); }
GPUEXEC_BOTH __half2 __hgt2(__half2 a, __half2 b) {
  return {__half(__hgt(a.x, b.x) ? 1.0f : 0.0f),
          __half(__hgt(a.y, b.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH bool __hbgt2(__half2 a, __half2 b) {
  return __hgt(a.x, b.x) && __hgt(a.y, b.y);
}
GPUEXEC_BOTH bool operator>(const __half &a, const __half &b) {
  return (float)a > (float)b;
}
GPUEXEC_BOTH bool operator>(const __half2 &a, const __half2 &b) {
  return a.x > b.x && a.y > b.y;
}
GPUEXEC_BOTH bool __hge(__half a, __half b) { return (float)a >= (float)b; }
GPUEXEC_BOTH bool __hgeu(__half a, __half b) { return !((float)a < (float)b); }
GPUEXEC_BOTH __half2 __hge2(__half2 a, __half2 b) {
  return {__half(__hge(a.x, b.x) ? 1.0f : 0.0f),
          __half(__hge(a.y, b.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH bool __hbge2(__half2 a, __half2 b) {
  return __hge(a.x, b.x) && __hge(a.y, b.y);
}
GPUEXEC_BOTH bool operator>=(const __half &a, const __half &b) {
  return (float)a >= (float)b;
}
GPUEXEC_BOTH bool operator>=(const __half2 &a, const __half2 &b) {
  return a.x >= b.x && a.y >= b.y;
}
GPUEXEC_BOTH bool __hisnan(__half a) { return (float)a != (float)a; }
GPUEXEC_BOTH int __hisinf(__half a) {
  return a.__x == 0x7c00 ? 1 : a.__x == (0x7c00 | 0x8000) ? -1 : 0;
}
GPUEXEC_BOTH __half2 __hisnan2(__half2 a) {
  return {__half(__hisnan(a.x) ? 1.0f : 0.0f),
          __half(__hisnan(a.y) ? 1.0f : 0.0f)};
}
GPUEXEC_BOTH __half __hmax(__half a, __half b) {
  return __hisnan(a) || (float)a < (float)b ? b : a;
}
GPUEXEC_BOTH __half2 __hmax2(__half2 a, __half2 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
GPUEXEC_BOTH __half __hmin(__half a, __half b) {
  return __hisnan(a) || (float)a > (float)b ? b : a;
}
GPUEXEC_BOTH __half2 __hmin2(__half2 a, __half2 b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}

#ifdef __CUDA__
//===-- Functions of device code ------------------------------------------===//
GPUEXEC_DEVICE __half hsqrt(__half a) { return __half(::sqrtf((float)a)); }
GPUEXEC_DEVICE __half2 h2sqrt(__half2 a) { return {hsqrt(a.x), hsqrt(a.y)}; }
GPUEXEC_DEVICE __half hrsqrt(__half a) { return __half(::rsqrtf((float)a)); }
GPUEXEC_DEVICE __half2 h2rsqrt(__half2 a) { return {hrsqrt(a.x), hrsqrt(a.y)}; }
GPUEXEC_DEVICE __half hexp(__half a) { return __half(::expf((float)a)); }
GPUEXEC_DEVICE __half2 h2exp(__half2 a) { return {hexp(a.x), hexp(a.y)}; }
GPUEXEC_DEVICE __half hexp2(__half a) { return __half(::exp2f((float)a)); }
GPUEXEC_DEVICE __half2 h2exp2(__half2 a) { return {hexp2(a.x), hexp2(a.y)}; }
GPUEXEC_DEVICE __half hexp10(__half a) { return __half(::exp10f((float)a)); }
GPUEXEC_DEVICE __half2 h2exp10(__half2 a) { return {hexp10(a.x), hexp10(a.y)}; }
GPUEXEC_DEVICE __half hlog(__half a) { return __half(::logf((float)a)); }
GPUEXEC_DEVICE __half2 h2log(__half2 a) { return {hlog(a.x), hlog(a.y)}; }
GPUEXEC_DEVICE __half hlog2(__half a) { return __half(::log2f((float)a)); }
GPUEXEC_DEVICE __half2 h2log2(__half2 a) { return {hlog2(a.x), hlog2(a.y)}; }
GPUEXEC_DEVICE __half hlog10(__half a) { return __half(::log10f((float)a)); }
GPUEXEC_DEVICE __half2 h2log10(__half2 a) { return {hlog10(a.x), hlog10(a.y)}; }
GPUEXEC_DEVICE __half hsin(__half a) { return __half(::sinf((float)a)); }
GPUEXEC_DEVICE __half2 h2sin(__half2 a) { return {hsin(a.x), hsin(a.y)}; }
GPUEXEC_DEVICE __half hcos(__half a) { return __half(::cosf((float)a)); }
GPUEXEC_DEVICE __half2 h2cos(__half2 a) { return {hcos(a.x), hcos(a.y)}; }
GPUEXEC_DEVICE __half hceil(__half a) { return __half(::ceilf((float)a)); }
GPUEXEC_DEVICE __half2 h2ceil(__half2 a) { return {hceil(a.x), hceil(a.y)}; }
GPUEXEC_DEVICE __half hfloor(__half a) { return __half(::floorf((float)a)); }
GPUEXEC_DEVICE __half2 h2floor(__half2 a) { return {hfloor(a.x), hfloor(a.y)}; }
GPUEXEC_DEVICE __half htrunc(__half a) { return __half(::truncf((float)a)); }
GPUEXEC_DEVICE __half2 h2trunc(__half2 a) { return {htrunc(a.x), htrunc(a.y)}; }
GPUEXEC_DEVICE __half hrint(__half a) { return __half(::rintf((float)a)); }
GPUEXEC_DEVICE __half2 h2rint(__half2 a) { return {hrint(a.x), hrint(a.y)}; }
GPUEXEC_DEVICE __half htanh(__half a) { return __half(::tanhf((float)a)); }
GPUEXEC_DEVICE __half2 h2tanh(__half2 a) { return {htanh(a.x), htanh(a.y)}; }
GPUEXEC_DEVICE __half hrcp(__half a) { return __half(1 / (float)a); }
GPUEXEC_DEVICE __half2 h2rcp(__half2 a) { return {hrcp(a.x), hrcp(a.y)}; }
GPUEXEC_DEVICE __half hdiv(__half a, __half b) { return __hdiv(a, b); }
GPUEXEC_DEVICE __half __shfl_sync(unsigned int mask, __half v, int lane,
                                  int width = 32) {
  return __builtin_bit_cast(
      __half, (unsigned short)__shfl_sync(
                  mask, (unsigned int)__builtin_bit_cast(unsigned short, v),
                  lane, width));
}
GPUEXEC_DEVICE __half2 __shfl_sync(unsigned int mask, __half2 v, int lane,
                                   int width = 32) {
  return __builtin_bit_cast(
      __half2, (unsigned int)__shfl_sync(
                   mask, (unsigned int)__builtin_bit_cast(unsigned int, v),
                   lane, width));
}
GPUEXEC_DEVICE __half __shfl_up_sync(unsigned int mask, __half v,
                                     unsigned int by, int width = 32) {
  return __builtin_bit_cast(
      __half, (unsigned short)__shfl_up_sync(
                  mask, (unsigned int)__builtin_bit_cast(unsigned short, v), by,
                  width));
}
GPUEXEC_DEVICE __half2 __shfl_up_sync(unsigned int mask, __half2 v,
                                      unsigned int by, int width = 32) {
  return __builtin_bit_cast(
      __half2,
      (unsigned int)__shfl_up_sync(
          mask, (unsigned int)__builtin_bit_cast(unsigned int, v), by, width));
}
GPUEXEC_DEVICE __half __shfl_down_sync(unsigned int mask, __half v,
                                       unsigned int by, int width = 32) {
  return __builtin_bit_cast(
      __half, (unsigned short)__shfl_down_sync(
                  mask, (unsigned int)__builtin_bit_cast(unsigned short, v), by,
                  width));
}
GPUEXEC_DEVICE __half2 __shfl_down_sync(unsigned int mask, __half2 v,
                                        unsigned int by, int width = 32) {
  return __builtin_bit_cast(
      __half2,
      (unsigned int)__shfl_down_sync(
          mask, (unsigned int)__builtin_bit_cast(unsigned int, v), by, width));
}
GPUEXEC_DEVICE __half __shfl_xor_sync(unsigned int mask, __half v, int by,
                                      int width = 32) {
  return __builtin_bit_cast(
      __half, (unsigned short)__shfl_xor_sync(
                  mask, (unsigned int)__builtin_bit_cast(unsigned short, v), by,
                  width));
}
GPUEXEC_DEVICE __half2 __shfl_xor_sync(unsigned int mask, __half2 v, int by,
                                       int width = 32) {
  return __builtin_bit_cast(
      __half2,
      (unsigned int)__shfl_xor_sync(
          mask, (unsigned int)__builtin_bit_cast(unsigned int, v), by, width));
}
GPUEXEC_DEVICE __half __ldg(const __half *p) { return *p; }
GPUEXEC_DEVICE __half2 __ldg(const __half2 *p) { return *p; }
GPUEXEC_DEVICE __half __ldcg(const __half *p) { return *p; }
GPUEXEC_DEVICE __half2 __ldcg(const __half2 *p) { return *p; }
GPUEXEC_DEVICE __half __ldca(const __half *p) { return *p; }
GPUEXEC_DEVICE __half2 __ldca(const __half2 *p) { return *p; }
GPUEXEC_DEVICE __half __ldlu(const __half *p) { return *p; }
GPUEXEC_DEVICE __half __ldcv(const __half *p) { return *p; }
GPUEXEC_DEVICE void __stwb(__half *p, __half v) { *p = v; }
GPUEXEC_DEVICE void __stcg(__half *p, __half v) { *p = v; }
GPUEXEC_DEVICE void __stcs(__half *p, __half v) { *p = v; }
GPUEXEC_DEVICE void __stwt(__half *p, __half v) { *p = v; }
GPUEXEC_DEVICE __half2 __ldlu(const __half2 *p) { return *p; }
GPUEXEC_DEVICE __half2 __ldcv(const __half2 *p) { return *p; }
GPUEXEC_DEVICE void __stwb(__half2 *p, __half2 v) { *p = v; }
GPUEXEC_DEVICE void __stcg(__half2 *p, __half2 v) { *p = v; }
GPUEXEC_DEVICE void __stcs(__half2 *p, __half2 v) { *p = v; }
GPUEXEC_DEVICE void __stwt(__half2 *p, __half2 v) { *p = v; }
GPUEXEC_DEVICE __half __ldcs(const __half *p) { return *p; }
GPUEXEC_DEVICE __half2 __ldcs(const __half2 *p) { return *p; }
/// By comparing and exchanging words: PTX has no such atomic for a half on all
/// processors.
GPUEXEC_DEVICE __half2 atomicAdd(__half2 *address, __half2 value) {
  unsigned int *const word = (unsigned int *)address;
  for (unsigned int seen = *word;;) {
    const __half2 before = __builtin_bit_cast(__half2, seen);
    const unsigned int old = atomicCAS(
        word, seen, __builtin_bit_cast(unsigned int, __hadd2(before, value)));
    if (old == seen)
      return before;
    seen = old;
  }
}
GPUEXEC_DEVICE __half atomicAdd(__half *address, __half value) {
  unsigned short *const word = (unsigned short *)address;
  for (unsigned short seen = *word;;) {
    const __half before = __half_raw{seen};
    const unsigned short old =
        atomicCAS(word, seen, (unsigned short)__hadd(before, value).__x);
    if (old == seen)
      return before;
    seen = old;
  }
}
#undef GPUEXEC_DEVICE
#endif // __CUDA__

#define GPUEXEC_NUMBER __half
#define GPUEXEC_PAIR __half2
#include <gpuexec/narrow_operations.h>

#undef GPUEXEC_BOTH
#undef GPUEXEC_MEMBER
#endif // __cplusplus

#endif
