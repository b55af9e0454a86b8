//===-- emulator/ptx/device/math.c - Approximations of PTX ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What hardware approximates, as exactly as PTX documents at least: sin and cos
// 2^-20.5 within two turns, tanh 2^-11 of the result, rsqrt 2^-22.9.
//===----------------------------------------------------------------------===//
#include <stdint.h>

/// x as turns in [-1/2, 1/2]; a small x keeps its sign and its bits.
static inline float turns(float x) {
  float all = x * 0.15915494309189535f;
  float rest = all - __builtin_rintf(all);
  return __builtin_fabsf(all) <= 0.5f ? all : rest;
}

float __gpuexec_ptx_sin_f32(float x) { return __builtin_amdgcn_sinf(turns(x)); }

float __gpuexec_ptx_cos_f32(float x) { return __builtin_amdgcn_cosf(turns(x)); }

float __gpuexec_ptx_rsqrt_f32(float x) {
  // The instruction takes subnormal numbers for zeros.
  int small = __builtin_fabsf(x) < 0x1p-126f;
  float root = __builtin_amdgcn_rsqf(small ? x * 0x1p24f : x);
  return small ? root * 0x1p12f : root;
}

float __gpuexec_ptx_tanh_f32(float x) {
  float magnitude = __builtin_fabsf(x);
  float e = __builtin_amdgcn_exp2f(magnitude * 2.8853900817779268f);
  float large = 1.0f - 2.0f * __builtin_amdgcn_rcpf(e + 1.0f);
  float small = magnitude - magnitude * magnitude * magnitude * 0.33333333f;
  float result = magnitude < 0x1p-5f ? small : large;
  return __builtin_copysignf(x != x ? x : result, x);
}
