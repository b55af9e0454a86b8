//===-- toolchain/cuda/include/gpuexec/device_functions.h - Device functions clang's lack -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Most device functions are in clang's __clang_cuda_device_functions.h and
// __clang_cuda_intrinsics.h.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_DEVICE_FUNCTIONS_H
#define GPUEXEC_CUDA_DEVICE_FUNCTIONS_H

#define GPUEXEC_DEVICE static __inline__ __device__

//===-- Dot products of bytes and halves of words -------------------------===//
#define GPUEXEC_DOT(NAME, RESULT, A, B, INSTRUCTION)                           \
  GPUEXEC_DEVICE RESULT NAME(A a, B b, RESULT sum) {                           \
    RESULT result;                                                             \
    __asm__(INSTRUCTION " %0, %1, %2, %3;"                                     \
            : "=r"(result)                                                     \
            : "r"(gpuexec_word(a)), "r"(gpuexec_word(b)), "r"(sum));           \
    return result;                                                             \
  }
template <class T> GPUEXEC_DEVICE unsigned int gpuexec_word(T value) {
  return __builtin_bit_cast(unsigned int, value);
}
GPUEXEC_DOT(__dp4a, int, int, int, "dp4a.s32.s32")
GPUEXEC_DOT(__dp4a, unsigned, unsigned, unsigned, "dp4a.u32.u32")
GPUEXEC_DOT(__dp4a, int, char4, char4, "dp4a.s32.s32")
GPUEXEC_DOT(__dp4a, unsigned, uchar4, uchar4, "dp4a.u32.u32")
GPUEXEC_DOT(__dp2a_lo, int, int, int, "dp2a.lo.s32.s32")
GPUEXEC_DOT(__dp2a_hi, int, int, int, "dp2a.hi.s32.s32")
GPUEXEC_DOT(__dp2a_lo, unsigned, unsigned, unsigned, "dp2a.lo.u32.u32")
GPUEXEC_DOT(__dp2a_hi, unsigned, unsigned, unsigned, "dp2a.hi.u32.u32")
#undef GPUEXEC_DOT

//===-- NaNs ------------------------------------------------------------===//
/// The number in C's notation that `tag` is, as far as it is one.
GPUEXEC_DEVICE unsigned long long gpuexec_nan_payload(const char *tag) {
  unsigned base = 10;
  if (*tag == '0') {
    const bool hexadecimal = tag[1] == 'x' || tag[1] == 'X';
    base = hexadecimal ? 16 : 8;
    tag += hexadecimal ? 2 : 1;
  }
  unsigned long long payload = 0;
  for (;; ++tag) {
    const unsigned letter = (unsigned)(*tag | 32) - 'a';
    const unsigned digit =
        letter < 6 ? letter + 10 : (unsigned)(unsigned char)*tag - '0';
    if (digit >= base)
      return payload;
    payload = payload * base + digit;
  }
}
/// A quiet NaN with the number `tag` in its low bits, as strtod has it.
GPUEXEC_DEVICE double nan(const char *tag) {
  return __longlong_as_double(
      (long long)(0x7ff8000000000000ull |
                  (gpuexec_nan_payload(tag) & 0x7ffffffffffffull)));
}
GPUEXEC_DEVICE float nanf(const char *tag) {
  return __int_as_float(
      (int)(0x7fc00000u | ((unsigned)gpuexec_nan_payload(tag) & 0x3fffffu)));
}

//===-- A warp's functions without a mask ---------------------------------===//
// CUDA before 9 had these, for the threads that are there. PTX has them up to
// compute capability 6.2 alone.
GPUEXEC_DEVICE int __all(int condition) {
  return __all_sync(__activemask(), condition);
}
GPUEXEC_DEVICE int __any(int condition) {
  return __any_sync(__activemask(), condition);
}
GPUEXEC_DEVICE unsigned int __ballot(int condition) {
  return __ballot_sync(__activemask(), condition);
}
#define GPUEXEC_SHUFFLE(NAME, BY)                                              \
  template <class T>                                                           \
  GPUEXEC_DEVICE T NAME(T value, BY by, int width = 32) {                      \
    return NAME##_sync(__activemask(), value, by, width);                      \
  }
GPUEXEC_SHUFFLE(__shfl, int)
GPUEXEC_SHUFFLE(__shfl_up, unsigned int)
GPUEXEC_SHUFFLE(__shfl_down, unsigned int)
GPUEXEC_SHUFFLE(__shfl_xor, int)
#undef GPUEXEC_SHUFFLE

//===-- Accesses with hints for the caches ------------------------------------===//
// clang has __ldcg, __ldcs, __ldcv and __stwt.
#define GPUEXEC_LOAD_HINT(TYPE, NAME)                                          \
  GPUEXEC_DEVICE TYPE NAME(const TYPE *from) { return *from; }
#define GPUEXEC_STORE_HINT(TYPE, NAME)                                         \
  GPUEXEC_DEVICE void NAME(TYPE *to, TYPE value) { *to = value; }
#define GPUEXEC_HINTS(TYPE)                                                    \
  GPUEXEC_LOAD_HINT(TYPE, __ldca)                                              \
  GPUEXEC_LOAD_HINT(TYPE, __ldlu)                                              \
  GPUEXEC_STORE_HINT(TYPE, __stwb)                                             \
  GPUEXEC_STORE_HINT(TYPE, __stcg)                                             \
  GPUEXEC_STORE_HINT(TYPE, __stcs)
GPUEXEC_HINTS(char)
GPUEXEC_HINTS(signed char)
GPUEXEC_HINTS(short)
GPUEXEC_HINTS(int)
GPUEXEC_HINTS(long)
GPUEXEC_HINTS(long long)
GPUEXEC_HINTS(unsigned char)
GPUEXEC_HINTS(unsigned short)
GPUEXEC_HINTS(unsigned int)
GPUEXEC_HINTS(unsigned long)
GPUEXEC_HINTS(unsigned long long)
GPUEXEC_HINTS(float)
GPUEXEC_HINTS(double)
GPUEXEC_HINTS(char2)
GPUEXEC_HINTS(char4)
GPUEXEC_HINTS(short2)
GPUEXEC_HINTS(short4)
GPUEXEC_HINTS(int2)
GPUEXEC_HINTS(int4)
GPUEXEC_HINTS(longlong2)
GPUEXEC_HINTS(uchar2)
GPUEXEC_HINTS(uchar4)
GPUEXEC_HINTS(ushort2)
GPUEXEC_HINTS(ushort4)
GPUEXEC_HINTS(uint2)
GPUEXEC_HINTS(uint4)
GPUEXEC_HINTS(ulonglong2)
GPUEXEC_HINTS(float2)
GPUEXEC_HINTS(float4)
GPUEXEC_HINTS(double2)
#undef GPUEXEC_HINTS
#undef GPUEXEC_STORE_HINT
#undef GPUEXEC_LOAD_HINT

//===-- The rest ----------------------------------------------------------===//
/// Waits for 0 to twice as many nanoseconds, at most a millisecond.
GPUEXEC_DEVICE void __nanosleep(unsigned int nanoseconds) {
  __asm__ volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}
// Older names.
GPUEXEC_DEVICE float saturate(float x) { return __nv_saturatef(x); }
GPUEXEC_DEVICE int mulhi(int a, int b) { return __mulhi(a, b); }
GPUEXEC_DEVICE unsigned mulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
GPUEXEC_DEVICE int mul24(int a, int b) { return __mul24(a, b); }
GPUEXEC_DEVICE unsigned umul24(unsigned a, unsigned b) {
  return __umul24(a, b);
}
GPUEXEC_DEVICE int float2int(float x) { return (int)x; }
GPUEXEC_DEVICE unsigned float2uint(float x) { return (unsigned)x; }
GPUEXEC_DEVICE float int2float(int x) { return (float)x; }
GPUEXEC_DEVICE float uint2float(unsigned x) { return (float)x; }
GPUEXEC_DEVICE int float_as_int(float x) { return __float_as_int(x); }
GPUEXEC_DEVICE float int_as_float(int x) { return __int_as_float(x); }

#undef GPUEXEC_DEVICE

#endif
