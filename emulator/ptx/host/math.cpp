//===-- emulator/ptx/host/math.cpp - Approximations on the host -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of emulator/ptx/device/math.c, and LLVM's code for an AMD GPU
// where PTX allows an approximation, by the emulator's own instructions: the
// same bits either way. Compiled to bitcode.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/ops/valu_math.h"
#include "emulator/amdgpu/ops/valu_scale.h"

using namespace gpuexec::emulator::ops;

namespace {

constexpr FloatMode MODE = DEFAULT_MODE;

float turns(float x) {
  float all = x * 0.15915494309189535f;
  float rest = all - __builtin_rintf(all);
  return __builtin_fabsf(all) <= 0.5f ? all : rest;
}

} // namespace

extern "C" {

float __gpuexec_ptx_sin_f32(float x) { return v_sin_f32(MODE, turns(x)); }
float __gpuexec_ptx_cos_f32(float x) { return v_cos_f32(MODE, turns(x)); }

float __gpuexec_ptx_rsqrt_f32(float x) {
  bool small = __builtin_fabsf(x) < 0x1p-126f;
  float root = v_rsq_f32(MODE, small ? x * 0x1p24f : x);
  return small ? root * 0x1p12f : root;
}

float __gpuexec_ptx_tanh_f32(float x) {
  float magnitude = __builtin_fabsf(x);
  float e = v_exp_f32(MODE, magnitude * 2.8853900817779268f);
  float large = 1.0f - 2.0f * v_rcp_f32(MODE, e + 1.0f);
  float small = magnitude - magnitude * magnitude * magnitude * 0.33333333f;
  float result = magnitude < 0x1p-5f ? small : large;
  return __builtin_copysignf(x != x ? x : result, x);
}

/// As LLVM's llvm.exp2 for AMD GPUs: the instruction flushes small results.
float __gpuexec_ptx_ex2_f32(float x) {
  bool small = x < -126.0f;
  float power = v_exp_f32(MODE, x + (small ? 64.0f : 0.0f));
  return power * (small ? 0x1p-64f : 1.0f);
}

/// As LLVM's llvm.log2 for AMD GPUs: the instruction flushes small arguments.
float __gpuexec_ptx_lg2_f32(float x) {
  bool small = x < 0x1p-126f;
  float log = v_log_f32(MODE, x * (small ? 0x1p32f : 1.0f));
  return log - (small ? 32.0f : 0.0f);
}

/// As LLVM's division with 2.5 ulps for AMD GPUs: by mantissas and exponents.
float __gpuexec_ptx_div_approx_f32(float a, float b) {
  float inverse = v_rcp_f32(MODE, v_frexp_mant_f32(MODE, b));
  float quotient = v_frexp_mant_f32(MODE, a) * inverse;
  return v_ldexp_f32(MODE, quotient,
                     v_frexp_exp_i32_f32(MODE, a) -
                         v_frexp_exp_i32_f32(MODE, b));
}

} // extern "C"
