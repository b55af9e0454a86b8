//===-- toolchain/cuda/include/gpuexec/narrow_conversions.h - Numbers of 16 bits and others -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of half and bfloat16 from and to integers, and those that round
// in a direction: _rn to the nearest, _rz towards zero, _rd down, _ru up.
// cuda_fp16.h and cuda_bf16.h include this, each with its type and its name:
// GPUEXEC_NUMBER, GPUEXEC_RAW and GPUEXEC_NAME.
//===----------------------------------------------------------------------===//
#define GPUEXEC_JOIN(a, b, c) a##b##c
#define GPUEXEC_JOINED(a, b, c) GPUEXEC_JOIN(a, b, c)

namespace gpuexec_cuda {

/// The next number below, or above where `up`. From an infinity: the largest.
GPUEXEC_BOTH GPUEXEC_NUMBER neighbour(GPUEXEC_NUMBER value, bool up) {
  const unsigned short bits = value.__x;
  if (!(bits & 0x7fff))
    return GPUEXEC_RAW{(unsigned short)(up ? 1 : 0x8001)};
  const bool negative = bits & 0x8000;
  return GPUEXEC_RAW{(unsigned short)(bits + (negative == up ? -1 : 1))};
}

/// 1, 0, -1: `rounded` is more than `exact`, equal, less.
GPUEXEC_BOTH int compare(GPUEXEC_NUMBER rounded, double exact) {
  const double value = (float)rounded;
  return (value > exact) - (value < exact);
}
template <class Integer>
GPUEXEC_BOTH int compare_integer(GPUEXEC_NUMBER rounded, Integer exact) {
  constexpr bool HAS_SIGN = (Integer)-1 < 0;
  constexpr float LIMIT =
      2.f * (float)((Integer)1 << (sizeof(Integer) * 8 - 1 - HAS_SIGN));
  const float value = rounded;
  if (value >= LIMIT)
    return 1;
  if (value < -LIMIT)
    return -1;
  const Integer back = (Integer)value;
  return (back > exact) - (back < exact);
}
GPUEXEC_BOTH int compare(GPUEXEC_NUMBER rounded, long long exact) {
  return compare_integer(rounded, exact);
}
GPUEXEC_BOTH int compare(GPUEXEC_NUMBER rounded, unsigned long long exact) {
  return compare_integer(rounded, exact);
}

template <class Wide>
GPUEXEC_BOTH GPUEXEC_NUMBER round(GPUEXEC_NUMBER nearest, Wide exact, bool up) {
  const int more = compare(nearest, exact);
  return more == (up ? -1 : 1) ? neighbour(nearest, up) : nearest;
}
} // namespace gpuexec_cuda

/// From TYPE, which is as large as Wide at most.
#define GPUEXEC_DIRECTED(FROM, TYPE, Wide)                                     \
  GPUEXEC_BOTH GPUEXEC_NUMBER GPUEXEC_JOINED(FROM, GPUEXEC_NAME,               \
                                             _rd)(TYPE v) {                    \
    return gpuexec_cuda::round(GPUEXEC_NUMBER(v), (Wide)v, false);             \
  }                                                                            \
  GPUEXEC_BOTH GPUEXEC_NUMBER GPUEXEC_JOINED(FROM, GPUEXEC_NAME,               \
                                             _ru)(TYPE v) {                    \
    return gpuexec_cuda::round(GPUEXEC_NUMBER(v), (Wide)v, true);              \
  }                                                                            \
  GPUEXEC_BOTH GPUEXEC_NUMBER GPUEXEC_JOINED(FROM, GPUEXEC_NAME,               \
                                             _rz)(TYPE v) {                    \
    return gpuexec_cuda::round(GPUEXEC_NUMBER(v), (Wide)v, v < 0);             \
  }
#define GPUEXEC_TO_INTEGER(MODE, TO, TYPE, ROUND)                              \
  GPUEXEC_BOTH TYPE GPUEXEC_JOINED(__, GPUEXEC_NAME,                           \
                                   2##TO##MODE)(GPUEXEC_NUMBER v) {            \
    return (TYPE)ROUND((float)v);                                              \
  }
#define GPUEXEC_INTEGER(TO, TYPE, Wide)                                        \
  GPUEXEC_BOTH GPUEXEC_NUMBER GPUEXEC_JOINED(__##TO##2, GPUEXEC_NAME,          \
                                             _rn)(TYPE v) {                    \
    return GPUEXEC_NUMBER(v);                                                  \
  }                                                                            \
  GPUEXEC_DIRECTED(__##TO##2, TYPE, Wide)                                      \
  GPUEXEC_TO_INTEGER(_rn, TO, TYPE, __builtin_rintf)                           \
  GPUEXEC_TO_INTEGER(_rz, TO, TYPE, )                                          \
  GPUEXEC_TO_INTEGER(_rd, TO, TYPE, __builtin_floorf)                          \
  GPUEXEC_TO_INTEGER(_ru, TO, TYPE, __builtin_ceilf)

GPUEXEC_DIRECTED(__float2, float, double)
GPUEXEC_INTEGER(int, int, long long)
GPUEXEC_INTEGER(uint, unsigned int, unsigned long long)
GPUEXEC_INTEGER(short, short, long long)
GPUEXEC_INTEGER(ushort, unsigned short, unsigned long long)
GPUEXEC_INTEGER(ll, long long, long long)
GPUEXEC_INTEGER(ull, unsigned long long, unsigned long long)
GPUEXEC_TO_INTEGER(_rz, char, signed char, )
GPUEXEC_TO_INTEGER(_rz, uchar, unsigned char, )

#undef GPUEXEC_INTEGER
#undef GPUEXEC_TO_INTEGER
#undef GPUEXEC_DIRECTED
#undef GPUEXEC_JOINED
#undef GPUEXEC_JOIN
#undef GPUEXEC_NUMBER
#undef GPUEXEC_RAW
#undef GPUEXEC_NAME
