//===-- toolchain/cuda/include/gpuexec/random/mrg32k3a.h - MRG32k3a --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names are those of CUDA's interface.
// P. L'Ecuyer, "Good parameters and implementations for combined multiple
// recursive random number generators", Operations Research 47 (1), 1999.
// Sequences are 2^76 numbers apart. A seed of 0 gives the published initial
// state (six times 12345); how other seeds become states is our own.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_RANDOM_MRG32K3A_H
#define GPUEXEC_CUDA_RANDOM_MRG32K3A_H

#include "common.h"

struct curandStateMRG32k3a : gpuexec_random_kept {
  unsigned s1[3], s2[3]; ///< oldest first
};

enum : unsigned long long {
  GPUEXEC_MRG_M1 = 4294967087ull,
  GPUEXEC_MRG_M2 = 4294944443ull,
};

/// a = a * a modulo m, of a matrix of 3 by 3.
GPUEXEC_RANDOM void gpuexec_mrg_square(unsigned (*a)[3], unsigned long long m) {
  unsigned square[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      unsigned long long sum = 0;
      for (int k = 0; k < 3; ++k)
        sum = (sum + (unsigned long long)a[i][k] * a[k][j] % m) % m;
      square[i][j] = (unsigned)sum;
    }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      a[i][j] = square[i][j];
}

/// s = step^(n * 2^doublings) * s modulo m.
GPUEXEC_RANDOM void gpuexec_mrg_skip(unsigned *s, unsigned (*step)[3],
                                     unsigned long long n, int doublings,
                                     unsigned long long m) {
  if (!n)
    return;
  for (int i = 0; i < doublings; ++i)
    gpuexec_mrg_square(step, m);
  for (; n; n >>= 1) {
    if (n & 1) {
      unsigned to[3];
      for (int i = 0; i < 3; ++i) {
        unsigned long long sum = 0;
        for (int k = 0; k < 3; ++k)
          sum = (sum + (unsigned long long)step[i][k] * s[k] % m) % m;
        to[i] = (unsigned)sum;
      }
      for (int i = 0; i < 3; ++i)
        s[i] = to[i];
    }
    if (n > 1)
      gpuexec_mrg_square(step, m);
  }
}
GPUEXEC_RANDOM void gpuexec_mrg_skip_both(curandStateMRG32k3a *state,
                                          unsigned long long n, int doublings) {
  unsigned a1[3][3] = {
      {0, 1, 0}, {0, 0, 1}, {(unsigned)(GPUEXEC_MRG_M1 - 810728), 1403580, 0}};
  unsigned a2[3][3] = {
      {0, 1, 0}, {0, 0, 1}, {(unsigned)(GPUEXEC_MRG_M2 - 1370589), 0, 527612}};
  gpuexec_mrg_skip(state->s1, a1, n, doublings, GPUEXEC_MRG_M1);
  gpuexec_mrg_skip(state->s2, a2, n, doublings, GPUEXEC_MRG_M2);
}

GPUEXEC_RANDOM void skipahead(unsigned long long n,
                              curandStateMRG32k3a *state) {
  gpuexec_mrg_skip_both(state, n, 0);
}
GPUEXEC_RANDOM void skipahead_subsequence(unsigned long long n,
                                          curandStateMRG32k3a *state) {
  gpuexec_mrg_skip_both(state, n, 76);
}
GPUEXEC_RANDOM void skipahead_sequence(unsigned long long n,
                                       curandStateMRG32k3a *state) {
  gpuexec_mrg_skip_both(state, n, 127);
}

GPUEXEC_RANDOM void curand_init(unsigned long long seed,
                                unsigned long long sequence,
                                unsigned long long offset,
                                curandStateMRG32k3a *state) {
  *state = {};
  for (int i = 0; i < 6; ++i) {
    // Six hashes of the seed, below both moduli and never all 0.
    unsigned long long x = seed + i * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    const unsigned value =
        seed ? (unsigned)((x ^ (x >> 31)) % (GPUEXEC_MRG_M2 - 1)) + 1 : 12345;
    (i < 3 ? state->s1 : state->s2)[i % 3] = value;
  }
  skipahead_subsequence(sequence, state);
  skipahead(offset, state);
}

/// The generator's own number, from 1 to its first modulus.
GPUEXEC_RANDOM unsigned gpuexec_mrg_next(curandStateMRG32k3a *state) {
  unsigned *a = state->s1, *b = state->s2;
  const unsigned p1 =
      (unsigned)((1403580ull * a[1] + (GPUEXEC_MRG_M1 - a[0]) * 810728ull) %
                 GPUEXEC_MRG_M1);
  const unsigned p2 =
      (unsigned)((527612ull * b[2] + (GPUEXEC_MRG_M2 - b[0]) * 1370589ull) %
                 GPUEXEC_MRG_M2);
  a[0] = a[1];
  a[1] = a[2];
  a[2] = p1;
  b[0] = b[1];
  b[1] = b[2];
  b[2] = p2;
  return p1 > p2 ? p1 - p2 : p1 - p2 + (unsigned)GPUEXEC_MRG_M1;
}

/// The number scaled to 32 bits.
GPUEXEC_RANDOM unsigned curand(curandStateMRG32k3a *state) {
  return (unsigned)((((unsigned long long)gpuexec_mrg_next(state) - 1) << 32) /
                    GPUEXEC_MRG_M1);
}

#endif
// NOLINTEND
