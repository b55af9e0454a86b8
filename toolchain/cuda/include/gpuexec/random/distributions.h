//===-- toolchain/cuda/include/gpuexec/random/distributions.h - Bits to numbers --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names are those of CUDA's interface.
// Uniform numbers exclude 0 and include 1. Normal ones are made in pairs by G.
// Box and M. Muller's method, and by the inverse distribution function for
// Sobol's sequences. Poisson's: products of uniform numbers below a mean of
// 64, else W. Hoermann's transformed rejection (PTRS, 1993).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_RANDOM_DISTRIBUTIONS_H
#define GPUEXEC_CUDA_RANDOM_DISTRIBUTIONS_H

#include "mrg32k3a.h"
#include "philox.h"
#include "sobol.h"
#include "xorwow.h"

//===-- Uniform -----------------------------------------------------------===//

GPUEXEC_RANDOM float gpuexec_uniform(unsigned x) {
  return x * 0x1p-32f + 0x1p-33f;
}
GPUEXEC_RANDOM double gpuexec_uniform_double(unsigned x, unsigned y) {
  const unsigned long long bits = x ^ ((unsigned long long)y << 21);
  return bits * 0x1p-53 + 0x1p-54;
}

template <class State> GPUEXEC_RANDOM float curand_uniform(State *state) {
  return gpuexec_uniform(curand(state));
}
GPUEXEC_RANDOM float curand_uniform(curandStateMRG32k3a *state) {
  return (float)(gpuexec_mrg_next(state) * (1.0 / 4294967087.0));
}
GPUEXEC_RANDOM float curand_uniform(curandStateSobol64 *state) {
  return gpuexec_uniform((unsigned)(curand(state) >> 32));
}

template <class State>
GPUEXEC_RANDOM double curand_uniform_double(State *state) {
  const unsigned x = curand(state), y = curand(state);
  return gpuexec_uniform_double(x, y);
}
GPUEXEC_RANDOM double curand_uniform_double(curandStateMRG32k3a *state) {
  return gpuexec_mrg_next(state) * (1.0 / 4294967087.0);
}
GPUEXEC_RANDOM double curand_uniform_double(curandStateSobol32 *state) {
  return curand(state) * 0x1p-32 + 0x1p-33;
}
GPUEXEC_RANDOM double curand_uniform_double(curandStateSobol64 *state) {
  return (curand(state) >> 11) * 0x1p-53 + 0x1p-54;
}
GPUEXEC_RANDOM double
curand_uniform_double(curandStateScrambledSobol32 *state) {
  return curand_uniform_double((curandStateSobol32 *)state);
}
GPUEXEC_RANDOM double
curand_uniform_double(curandStateScrambledSobol64 *state) {
  return curand_uniform_double((curandStateSobol64 *)state);
}
GPUEXEC_RANDOM float curand_uniform(curandStateScrambledSobol64 *state) {
  return curand_uniform((curandStateSobol64 *)state);
}

GPUEXEC_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10 *state) {
  const uint4 x = curand4(state);
  return float4{gpuexec_uniform(x.x), gpuexec_uniform(x.y),
                gpuexec_uniform(x.z), gpuexec_uniform(x.w)};
}
GPUEXEC_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10 *state) {
  const uint4 x = curand4(state);
  return double2{gpuexec_uniform_double(x.x, x.y),
                 gpuexec_uniform_double(x.z, x.w)};
}

//===-- Normal ------------------------------------------------------------===//

GPUEXEC_RANDOM float2 gpuexec_box_muller(float u, float v) {
  const float s = sqrtf(-2 * logf(u)), angle = v * 6.2831853f;
  return float2{s * sinf(angle), s * cosf(angle)};
}
GPUEXEC_RANDOM double2 gpuexec_box_muller_double(double u, double v) {
  const double s = sqrt(-2 * log(u)), angle = v * 6.283185307179586;
  return double2{s * sin(angle), s * cos(angle)};
}

template <class State> GPUEXEC_RANDOM float2 curand_normal2(State *state) {
  const float u = curand_uniform(state), v = curand_uniform(state);
  return gpuexec_box_muller(u, v);
}
template <class State>
GPUEXEC_RANDOM double2 curand_normal2_double(State *state) {
  const double u = curand_uniform_double(state);
  const double v = curand_uniform_double(state);
  return gpuexec_box_muller_double(u, v);
}
GPUEXEC_RANDOM float4 curand_normal4(curandStatePhilox4_32_10 *state) {
  const float4 u = curand_uniform4(state);
  const float2 a = gpuexec_box_muller(u.x, u.y);
  const float2 b = gpuexec_box_muller(u.z, u.w);
  return float4{a.x, a.y, b.x, b.y};
}

template <class State> GPUEXEC_RANDOM float curand_normal(State *state) {
  if ((state->boxmuller_flag = !state->boxmuller_flag)) {
    const float2 pair = curand_normal2(state);
    state->boxmuller_extra = pair.y;
    return pair.x;
  }
  return state->boxmuller_extra;
}
template <class State>
GPUEXEC_RANDOM double curand_normal_double(State *state) {
  if ((state->boxmuller_flag_double = !state->boxmuller_flag_double)) {
    const double2 pair = curand_normal2_double(state);
    state->boxmuller_extra_double = pair.y;
    return pair.x;
  }
  return state->boxmuller_extra_double;
}

#ifdef __CUDA__ // normcdfinv() is device code's
#define GPUEXEC_SOBOL_NORMAL(STATE)                                            \
  static inline __device__ double curand_normal_double(STATE *state) {         \
    return normcdfinv(curand_uniform_double(state));                           \
  }                                                                            \
  static inline __device__ float curand_normal(STATE *state) {                 \
    return (float)curand_normal_double(state);                                 \
  }
GPUEXEC_SOBOL_NORMAL(curandStateSobol32)
GPUEXEC_SOBOL_NORMAL(curandStateSobol64)
GPUEXEC_SOBOL_NORMAL(curandStateScrambledSobol32)
GPUEXEC_SOBOL_NORMAL(curandStateScrambledSobol64)
#undef GPUEXEC_SOBOL_NORMAL
#endif

template <class State>
GPUEXEC_RANDOM float curand_log_normal(State *state, float mean,
                                       float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <class State>
GPUEXEC_RANDOM double curand_log_normal_double(State *state, double mean,
                                               double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
template <class State>
GPUEXEC_RANDOM float2 curand_log_normal2(State *state, float mean,
                                         float deviation) {
  const float2 n = curand_normal2(state);
  return float2{expf(mean + deviation * n.x), expf(mean + deviation * n.y)};
}
template <class State>
GPUEXEC_RANDOM double2 curand_log_normal2_double(State *state, double mean,
                                                 double deviation) {
  const double2 n = curand_normal2_double(state);
  return double2{exp(mean + deviation * n.x), exp(mean + deviation * n.y)};
}
GPUEXEC_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10 *state,
                                         float mean, float deviation) {
  const float4 n = curand_normal4(state);
  return float4{expf(mean + deviation * n.x), expf(mean + deviation * n.y),
                expf(mean + deviation * n.z), expf(mean + deviation * n.w)};
}

//===-- Discrete ----------------------------------------------------------===//

template <class State>
GPUEXEC_RANDOM unsigned curand_poisson(State *state, double mean) {
  if (!(mean > 0))
    return 0;
  if (mean < 64) {
    const double limit = exp(-mean);
    double product = curand_uniform_double(state);
    unsigned count = 0;
    for (; product > limit; ++count)
      product *= curand_uniform_double(state);
    return count;
  }
  const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double v_r = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = curand_uniform_double(state) - 0.5;
    const double v = curand_uniform_double(state);
    const double us = 0.5 - fabs(u);
    const double k = floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= v_r)
      return (unsigned)k;
    if (k < 0 || k > 4294967295.0 || (us < 0.013 && v > us))
      continue;
    if (log(v * inverse_alpha / (a / (us * us) + b)) <=
        k * log(mean) - mean - lgamma(k + 1))
      return (unsigned)k;
  }
}
GPUEXEC_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10 *state,
                                     double mean) {
  const unsigned a = curand_poisson(state, mean);
  const unsigned b = curand_poisson(state, mean);
  const unsigned c = curand_poisson(state, mean);
  return uint4{a, b, c, curand_poisson(state, mean)};
}

/// A distribution of whole numbers: value `first + i` has the probability
/// cumulative[i] - cumulative[i - 1].
struct curandDiscreteDistribution_st {
  unsigned first, size;
  const double *cumulative;
};
typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;

template <class State>
GPUEXEC_RANDOM unsigned
curand_discrete(State *state, curandDiscreteDistribution_t distribution) {
  const double u = curand_uniform_double(state);
  unsigned low = 0, high = distribution->size - 1;
  while (low < high) {
    const unsigned middle = low + (high - low) / 2;
    if (distribution->cumulative[middle] < u)
      low = middle + 1;
    else
      high = middle;
  }
  return distribution->first + low;
}
GPUEXEC_RANDOM uint4
curand_discrete4(curandStatePhilox4_32_10 *state,
                 curandDiscreteDistribution_t distribution) {
  const unsigned a = curand_discrete(state, distribution);
  const unsigned b = curand_discrete(state, distribution);
  const unsigned c = curand_discrete(state, distribution);
  return uint4{a, b, c, curand_discrete(state, distribution)};
}

#endif
// NOLINTEND
