// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions that are an instruction or few: arithmetic in a direction of
// rounding, conversions, integers, and the fast approximations.

#define NAN_OF(X) ((X) != (X))

//===-- Arithmetic and conversions in the four directions -----------------===//
// CUDA's rn, rz, ru, rd are LLVM's rn, rz, rp, rm.
#define DIRECTIONS(F) F(rn, rn) F(rz, rz) F(ru, rp) F(rd, rm)
#define ARITHMETIC(TO, BY)                                                     \
  float __nv_fadd_##TO(float x, float y) { return __nvvm_add_##BY##_f(x, y); } \
  float __nv_fsub_##TO(float x, float y) {                                     \
    return __nvvm_add_##BY##_f(x, -y);                                         \
  }                                                                            \
  float __nv_fmul_##TO(float x, float y) { return __nvvm_mul_##BY##_f(x, y); } \
  float __nv_fdiv_##TO(float x, float y) { return __nvvm_div_##BY##_f(x, y); } \
  float __nv_frcp_##TO(float x) { return __nvvm_rcp_##BY##_f(x); }             \
  float __nv_fsqrt_##TO(float x) { return __nvvm_sqrt_##BY##_f(x); }           \
  float __nv_fmaf_##TO(float x, float y, float z) {                            \
    return __nvvm_fma_##BY##_f(x, y, z);                                       \
  }                                                                            \
  float __nv_fmaf_ieee_##TO(float x, float y, float z) {                       \
    return __nvvm_fma_##BY##_f(x, y, z);                                       \
  }                                                                            \
  double __nv_dadd_##TO(double x, double y) {                                  \
    return __nvvm_add_##BY##_d(x, y);                                          \
  }                                                                            \
  double __nv_dsub_##TO(double x, double y) {                                  \
    return __nvvm_add_##BY##_d(x, -y);                                         \
  }                                                                            \
  double __nv_dmul_##TO(double x, double y) {                                  \
    return __nvvm_mul_##BY##_d(x, y);                                          \
  }                                                                            \
  double __nv_ddiv_##TO(double x, double y) {                                  \
    return __nvvm_div_##BY##_d(x, y);                                          \
  }                                                                            \
  double __nv_drcp_##TO(double x) { return __nvvm_rcp_##BY##_d(x); }           \
  double __nv_dsqrt_##TO(double x) { return __nvvm_sqrt_##BY##_d(x); }         \
  double __nv_fma_##TO(double x, double y, double z) {                         \
    return __nvvm_fma_##BY##_d(x, y, z);                                       \
  }                                                                            \
  float __nv_double2float_##TO(double x) { return __nvvm_d2f_##BY(x); }
DIRECTIONS(ARITHMETIC)
#define CONVERSIONS(TO, BY)                                                    \
  int __nv_float2int_##TO(float x) { return __nvvm_f2i_##BY(x); }              \
  unsigned __nv_float2uint_##TO(float x) { return __nvvm_f2ui_##BY(x); }       \
  long long __nv_float2ll_##TO(float x) { return __nvvm_f2ll_##BY(x); }        \
  unsigned long long __nv_float2ull_##TO(float x) {                            \
    return __nvvm_f2ull_##BY(x);                                               \
  }                                                                            \
  int __nv_double2int_##TO(double x) { return __nvvm_d2i_##BY(x); }            \
  unsigned __nv_double2uint_##TO(double x) { return __nvvm_d2ui_##BY(x); }     \
  long long __nv_double2ll_##TO(double x) { return __nvvm_d2ll_##BY(x); }      \
  unsigned long long __nv_double2ull_##TO(double x) {                          \
    return __nvvm_d2ull_##BY(x);                                               \
  }                                                                            \
  float __nv_int2float_##TO(int x) { return __nvvm_i2f_##BY(x); }              \
  float __nv_uint2float_##TO(unsigned x) { return __nvvm_ui2f_##BY(x); }       \
  float __nv_ll2float_##TO(long long x) { return __nvvm_ll2f_##BY(x); }        \
  float __nv_ull2float_##TO(unsigned long long x) {                            \
    return __nvvm_ull2f_##BY(x);                                               \
  }                                                                            \
  double __nv_ll2double_##TO(long long x) { return __nvvm_ll2d_##BY(x); }      \
  double __nv_ull2double_##TO(unsigned long long x) {                          \
    return __nvvm_ull2d_##BY(x);                                               \
  }
DIRECTIONS(CONVERSIONS)
double __nv_int2double_rn(int x) { return x; }
double __nv_uint2double_rn(unsigned x) { return x; }

//===-- Bits --------------------------------------------------------------===//
int __nv_float_as_int(float x) { return __builtin_bit_cast(int, x); }
unsigned __nv_float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
float __nv_int_as_float(int x) { return __builtin_bit_cast(float, x); }
float __nv_uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
long long __nv_double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
double __nv_longlong_as_double(long long x) {
  return __builtin_bit_cast(double, x);
}
int __nv_double2hiint(double x) { return __nvvm_d2i_hi(x); }
int __nv_double2loint(double x) { return __nvvm_d2i_lo(x); }
double __nv_hiloint2double(int high, int low) {
  return __nvvm_lohi_i2d(low, high);
}
/// 1/x, of which only the upper word counts.
double __nv_rcp64h(double x) { return __nvvm_rcp_approx_ftz_d(x); }
unsigned short __nv_float2half_rn(float x) {
  return __builtin_bit_cast(unsigned short, (_Float16)x);
}
float __nv_half2float(unsigned short x) {
  return (float)__builtin_bit_cast(_Float16, x);
}
int __nv_signbitf(float x) { return __nv_float_as_int(x) < 0; }
int __nv_signbitd(double x) { return __nv_double_as_longlong(x) < 0; }
int __nv_isnanf(float x) { return NAN_OF(x); }
int __nv_isnand(double x) { return NAN_OF(x); }
int __nv_isinff(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
int __nv_isinfd(double x) { return __builtin_fabs(x) == __builtin_inf(); }
int __nv_finitef(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
int __nv_isfinited(double x) { return __builtin_fabs(x) < __builtin_inf(); }

//===-- Integers ----------------------------------------------------------===//
int __nv_abs(int x) { return x < 0 ? (int)-(unsigned)x : x; }
long long __nv_llabs(long long x) {
  return x < 0 ? (long long)-(unsigned long long)x : x;
}
int __nv_brev(int x) { return (int)__builtin_bitreverse32((unsigned)x); }
long long __nv_brevll(long long x) {
  return (long long)__builtin_bitreverse64((unsigned long long)x);
}
int __nv_byte_perm(int x, int y, int selector) {
  return __nvvm_prmt(x, y, selector);
}
int __nv_clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
int __nv_clzll(long long x) {
  return x ? __builtin_clzll((unsigned long long)x) : 64;
}
int __nv_ffs(int x) { return x ? __builtin_ctz((unsigned)x) + 1 : 0; }
int __nv_ffsll(long long x) {
  return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0;
}
int __nv_popc(unsigned x) { return __builtin_popcount(x); }
int __nv_popcll(unsigned long long x) { return __builtin_popcountll(x); }
int __nv_hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
int __nv_rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
int __nv_uhadd(unsigned x, unsigned y) {
  return (int)(((unsigned long long)x + y) >> 1);
}
unsigned __nv_urhadd(unsigned x, unsigned y) {
  return (unsigned)(((unsigned long long)x + y + 1) >> 1);
}
int __nv_max(int x, int y) { return x < y ? y : x; }
int __nv_min(int x, int y) { return y < x ? y : x; }
unsigned __nv_umax(unsigned x, unsigned y) { return x < y ? y : x; }
unsigned __nv_umin(unsigned x, unsigned y) { return y < x ? y : x; }
long long __nv_llmax(long long x, long long y) { return x < y ? y : x; }
long long __nv_llmin(long long x, long long y) { return y < x ? y : x; }
unsigned long long __nv_ullmax(unsigned long long x, unsigned long long y) {
  return x < y ? y : x;
}
unsigned long long __nv_ullmin(unsigned long long x, unsigned long long y) {
  return y < x ? y : x;
}
int __nv_mul24(int x, int y) { return __nvvm_mul24_i(x, y); }
unsigned __nv_umul24(unsigned x, unsigned y) { return __nvvm_mul24_ui(x, y); }
int __nv_mulhi(int x, int y) { return __nvvm_mulhi_i(x, y); }
unsigned __nv_umulhi(unsigned x, unsigned y) { return __nvvm_mulhi_ui(x, y); }
long long __nv_mul64hi(long long x, long long y) {
  return __nvvm_mulhi_ll(x, y);
}
unsigned long long __nv_umul64hi(unsigned long long x, unsigned long long y) {
  return __nvvm_mulhi_ull(x, y);
}
int __nv_sad(int x, int y, int sum) { return __nvvm_sad_i(x, y, sum); }
unsigned __nv_usad(unsigned x, unsigned y, unsigned sum) {
  return __nvvm_sad_ui(x, y, sum);
}

//===-- Functions that GPUs have as instructions --------------------------===//
double __nv_ceil(double x) { return __builtin_ceil(x); }
float __nv_ceilf(float x) { return __builtin_ceilf(x); }
double __nv_floor(double x) { return __builtin_floor(x); }
float __nv_floorf(float x) { return __builtin_floorf(x); }
double __nv_trunc(double x) { return __builtin_trunc(x); }
float __nv_truncf(float x) { return __builtin_truncf(x); }
double __nv_rint(double x) { return __builtin_rint(x); }
float __nv_rintf(float x) { return __builtin_rintf(x); }
double __nv_nearbyint(double x) { return __builtin_nearbyint(x); }
float __nv_nearbyintf(float x) { return __builtin_nearbyintf(x); }
double __nv_round(double x) { return __builtin_round(x); }
float __nv_roundf(float x) { return __builtin_roundf(x); }
long long __nv_llrint(double x) { return __nvvm_d2ll_rn(x); }
long long __nv_llrintf(float x) { return __nvvm_f2ll_rn(x); }
long long __nv_llround(double x) { return (long long)__builtin_round(x); }
long long __nv_llroundf(float x) { return (long long)__builtin_roundf(x); }
double __nv_fabs(double x) { return __builtin_fabs(x); }
float __nv_fabsf(float x) { return __builtin_fabsf(x); }
double __nv_copysign(double x, double y) { return __builtin_copysign(x, y); }
float __nv_copysignf(float x, float y) { return __builtin_copysignf(x, y); }
double __nv_fmax(double x, double y) { return __nvvm_fmax_d(x, y); }
float __nv_fmaxf(float x, float y) { return __nvvm_fmax_f(x, y); }
double __nv_fmin(double x, double y) { return __nvvm_fmin_d(x, y); }
float __nv_fminf(float x, float y) { return __nvvm_fmin_f(x, y); }
double __nv_fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
float __nv_fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
double __nv_sqrt(double x) { return __builtin_sqrt(x); }
float __nv_sqrtf(float x) { return __builtin_sqrtf(x); }
float __nv_saturatef(float x) { return __nvvm_saturate_f(x); }

//===-- Fast approximations -----------------------------------------------===//
#define LOG2_E 1.4426950408889634f
#define LOG2_10 3.3219280948873623f
#define LOG_2 0.69314718055994531f
#define LOG10_2 0.30102999566398120f
float __nv_fast_sinf(float x) { return __nvvm_sin_approx_f(x); }
float __nv_fast_cosf(float x) { return __nvvm_cos_approx_f(x); }
void __nv_fast_sincosf(float x, float *sine, float *cosine) {
  *sine = __nvvm_sin_approx_f(x);
  *cosine = __nvvm_cos_approx_f(x);
}
float __nv_fast_tanf(float x) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x));
}
float __nv_fast_expf(float x) { return __nvvm_ex2_approx_f(x * LOG2_E); }
float __nv_fast_exp10f(float x) { return __nvvm_ex2_approx_f(x * LOG2_10); }
float __nv_fast_logf(float x) { return __nvvm_lg2_approx_f(x) * LOG_2; }
float __nv_fast_log10f(float x) { return __nvvm_lg2_approx_f(x) * LOG10_2; }
float __nv_fast_log2f(float x) { return __nvvm_lg2_approx_f(x); }
float __nv_fast_powf(float x, float y) {
  return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x));
}
float __nv_fast_fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
