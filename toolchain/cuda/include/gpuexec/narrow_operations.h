//===-- toolchain/cuda/include/gpuexec/narrow_operations.h - Rarer operations of 16 bits -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda_fp16.h and cuda_bf16.h include this at their end, each with its types:
// GPUEXEC_NUMBER and GPUEXEC_PAIR.
//===----------------------------------------------------------------------===//

/// As __hmax() and __hmin(), but a NaN where one is.
GPUEXEC_BOTH GPUEXEC_NUMBER __hmax_nan(GPUEXEC_NUMBER a, GPUEXEC_NUMBER b) {
  return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b);
}
GPUEXEC_BOTH GPUEXEC_NUMBER __hmin_nan(GPUEXEC_NUMBER a, GPUEXEC_NUMBER b) {
  return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b);
}
GPUEXEC_BOTH GPUEXEC_PAIR __hmax2_nan(GPUEXEC_PAIR a, GPUEXEC_PAIR b) {
  return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)};
}
GPUEXEC_BOTH GPUEXEC_PAIR __hmin2_nan(GPUEXEC_PAIR a, GPUEXEC_PAIR b) {
  return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)};
}

/// a * b + c, and 0 where that is negative; a NaN stays.
GPUEXEC_BOTH GPUEXEC_NUMBER __hfma_relu(GPUEXEC_NUMBER a, GPUEXEC_NUMBER b,
                                        GPUEXEC_NUMBER c) {
  return __hmax_nan(__hfma(a, b, c), GPUEXEC_NUMBER(0.0f));
}
GPUEXEC_BOTH GPUEXEC_PAIR __hfma2_relu(GPUEXEC_PAIR a, GPUEXEC_PAIR b,
                                       GPUEXEC_PAIR c) {
  return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};
}
GPUEXEC_BOTH GPUEXEC_PAIR __hfma2_sat(GPUEXEC_PAIR a, GPUEXEC_PAIR b,
                                      GPUEXEC_PAIR c) {
  return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};
}
/// a * b + c of complex numbers, whose real parts are the x.
GPUEXEC_BOTH GPUEXEC_PAIR __hcmadd(GPUEXEC_PAIR a, GPUEXEC_PAIR b,
                                   GPUEXEC_PAIR c) {
  const GPUEXEC_NUMBER real = __hfma(a.x, b.x, c.x);
  const GPUEXEC_NUMBER imaginary = __hfma(a.x, b.y, c.y);
  return {__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary)};
}

/// Of pairs: 1.0 where it is true, whether both are, and all bits of the half
/// of a word where it is.
#define GPUEXEC_COMPARED(NAME, OF_ONE)                                         \
  GPUEXEC_BOTH unsigned int __h##NAME##2_mask(GPUEXEC_PAIR a,                  \
                                              GPUEXEC_PAIR b) {                \
    return (OF_ONE(a.x, b.x) ? 0xffffu : 0u) |                                 \
           (OF_ONE(a.y, b.y) ? 0xffff0000u : 0u);                              \
  }
#define GPUEXEC_COMPARED_BOTH(NAME)                                            \
  GPUEXEC_COMPARED(NAME, __h##NAME)                                            \
  GPUEXEC_COMPARED(NAME##u, __h##NAME##u)                                      \
  GPUEXEC_BOTH GPUEXEC_PAIR __h##NAME##u2(GPUEXEC_PAIR a, GPUEXEC_PAIR b) {    \
    return {GPUEXEC_NUMBER(__h##NAME##u(a.x, b.x) ? 1.0f : 0.0f),              \
            GPUEXEC_NUMBER(__h##NAME##u(a.y, b.y) ? 1.0f : 0.0f)};             \
  }                                                                            \
  GPUEXEC_BOTH bool __hb##NAME##u2(GPUEXEC_PAIR a, GPUEXEC_PAIR b) {           \
    return __h##NAME##u(a.x, b.x) && __h##NAME##u(a.y, b.y);                   \
  }
GPUEXEC_COMPARED_BOTH(eq)
GPUEXEC_COMPARED_BOTH(ne)
GPUEXEC_COMPARED_BOTH(lt)
GPUEXEC_COMPARED_BOTH(le)
GPUEXEC_COMPARED_BOTH(gt)
GPUEXEC_COMPARED_BOTH(ge)
#undef GPUEXEC_COMPARED_BOTH
#undef GPUEXEC_COMPARED
#undef GPUEXEC_NUMBER
#undef GPUEXEC_PAIR
