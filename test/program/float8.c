// 8-bit floats as clang's builtins convert them: all codes of both formats, from every byte of a register and to every byte, with gfx942's
// formats (FNUZ) and RDNA 4's (OCP).
// REQUIRES: emulator
// RUN: %compiler --arch=gfx942 -O2 %s -o %t.942
// RUN: %compiler --arch=gfx1201 -O2 %s -o %t.1201
// RUN: %run %t.942 && %run --threads=64 %t.942
// RUN: %run %t.1201 && %run --threads=32 %t.1201
// RUN: env GPUEXEC_EMULATOR_JIT=baseline %run %t.942
// RUN: env GPUEXEC_EMULATOR_JIT=eager %run %t.942
// RUN: env GPUEXEC_EMULATOR_JIT=baseline %run %t.1201
// RUN: env GPUEXEC_EMULATOR_JIT=eager %run %t.1201
#include <math.h>
#include <stdio.h>

#ifdef __gfx1201__
#define IS_OCP 1
#else
#define IS_OCP 0
#endif
typedef float f2 __attribute__((ext_vector_type(2)));

// The value of a code with `fraction` bits of fraction, by the formats' definitions.
static float value(unsigned code, int fraction) {
  int bits = 7 - fraction, bias = (1 << (bits - 1)) - IS_OCP;
  int exponent = code >> fraction & ((1 << bits) - 1), rest = code & ((1 << fraction) - 1);
  float sign = code & 0x80 ? -1.0f : 1.0f;
  if (!IS_OCP && code == 0x80)
    return NAN;
  if (IS_OCP && fraction == 3 && (code & 0x7f) == 0x7f)
    return NAN;
  if (IS_OCP && fraction == 2 && exponent == 31)
    return rest ? NAN : sign * INFINITY;
  if (!exponent)
    return sign * ldexpf(rest, 1 - bias - fraction);
  return sign * ldexpf((1 << fraction) + rest, exponent - bias - fraction);
}
static int same(float a, float b) { return a != a ? b != b : a == b && signbit(a) == signbit(b); }

#define CHECK(condition) (bad += !(condition))
int main(void) {
  unsigned bad = 0;
  for (unsigned code = 0; code < 256; code++) {
    float fp8 = value(code, 3), bf8 = value(code, 2), other8 = value(code ^ 0x55, 3), other_bf8 = value(code ^ 0x55, 2);
    unsigned w = code | (code ^ 0x55) << 8 | (code ^ 0x55) << 16 | code << 24;
    __asm__ volatile("" : "+v"(w));
    CHECK(same(__builtin_amdgcn_cvt_f32_fp8(w, 0), fp8));
    CHECK(same(__builtin_amdgcn_cvt_f32_fp8(w, 1), other8));
    CHECK(same(__builtin_amdgcn_cvt_f32_fp8(w, 2), other8));
    CHECK(same(__builtin_amdgcn_cvt_f32_fp8(w, 3), fp8));
    CHECK(same(__builtin_amdgcn_cvt_f32_bf8(w, 0), bf8));
    CHECK(same(__builtin_amdgcn_cvt_f32_bf8(w, 1), other_bf8));
    CHECK(same(__builtin_amdgcn_cvt_f32_bf8(w, 2), other_bf8));
    CHECK(same(__builtin_amdgcn_cvt_f32_bf8(w, 3), bf8));
    f2 pair = __builtin_amdgcn_cvt_pk_f32_fp8(w, 0);
    CHECK(same(pair.x, fp8) && same(pair.y, other8));
    pair = __builtin_amdgcn_cvt_pk_f32_fp8(w, 1);
    CHECK(same(pair.x, other8) && same(pair.y, fp8));
    pair = __builtin_amdgcn_cvt_pk_f32_bf8(w, 1);
    CHECK(same(pair.x, other_bf8) && same(pair.y, bf8));
    if (fp8 == fp8 && other8 == other8) {
      unsigned both = code | (code ^ 0x55) << 8;
      CHECK(__builtin_amdgcn_cvt_pk_fp8_f32(fp8, other8, 0x11223344, 0) == (0x11220000 | both));
      CHECK(__builtin_amdgcn_cvt_pk_fp8_f32(fp8, other8, 0x11223344, 1) == (both << 16 | 0x3344));
      CHECK(__builtin_amdgcn_cvt_sr_fp8_f32(fp8, w, 0x11223344, 0) == (0x11223300 | code));
      CHECK(__builtin_amdgcn_cvt_sr_fp8_f32(fp8, w, 0x11223344, 1) == (0x11220044 | code << 8));
      CHECK(__builtin_amdgcn_cvt_sr_fp8_f32(fp8, w, 0x11223344, 2) == (0x11003344 | code << 16));
      CHECK((unsigned)__builtin_amdgcn_cvt_sr_fp8_f32(fp8, w, 0x11223344, 3) == (0x00223344 | code << 24));
    }
    if (bf8 == bf8 && other_bf8 == other_bf8) {
      unsigned both = code | (code ^ 0x55) << 8;
      CHECK(__builtin_amdgcn_cvt_pk_bf8_f32(bf8, other_bf8, 0x11223344, 0) == (0x11220000 | both));
      CHECK(__builtin_amdgcn_cvt_pk_bf8_f32(bf8, other_bf8, 0x11223344, 1) == (both << 16 | 0x3344));
      CHECK((unsigned)__builtin_amdgcn_cvt_sr_bf8_f32(bf8, w, 0x11223344, 3) == (0x00223344 | code << 24));
    }
  }
  if (bad)
    printf("%u wrong\n", bad);
  return bad != 0;
}
