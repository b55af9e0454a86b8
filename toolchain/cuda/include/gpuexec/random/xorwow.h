//===-- toolchain/cuda/include/gpuexec/random/xorwow.h - XORWOW ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names are those of CUDA's interface.
// G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14), 2003:
// five words of xorshift and a counter, whose sum is the result. Sequences are
// 2^67 numbers apart. How a seed becomes a state is what public programs do
// that reproduce cuRAND's numbers; test/cuda/curand.test has published ones.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_RANDOM_XORWOW_H
#define GPUEXEC_CUDA_RANDOM_XORWOW_H

#include "common.h"

struct curandStateXORWOW : gpuexec_random_kept {
  unsigned d, v[5];
};

#ifdef __CUDA_ARCH__
static __device__ const unsigned
#else
static const unsigned
#endif
    gpuexec_xorwow_jumps[2 * 16 * 15][5] = {
#include "xorwow_table.h"
};

GPUEXEC_RANDOM void gpuexec_xorwow_step(unsigned *v) {
  const unsigned t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

/// Applies a polynomial of the table to the words of a state.
GPUEXEC_RANDOM void gpuexec_xorwow_jump(unsigned *v,
                                        const unsigned *polynomial) {
  unsigned sum[5] = {0, 0, 0, 0, 0};
  for (int word = 0; word < 5; ++word) {
    unsigned bits = polynomial[word];
    for (int i = 0; i < 32; ++i, bits >>= 1) {
      const unsigned mask = 0u - (bits & 1);
      for (int k = 0; k < 5; ++k)
        sum[k] ^= v[k] & mask;
      gpuexec_xorwow_step(v);
    }
  }
  for (int k = 0; k < 5; ++k)
    v[k] = sum[k];
}

/// Leaves out `n` numbers (kind 0) or `n` sequences of 2^67 numbers (kind 1).
GPUEXEC_RANDOM void gpuexec_xorwow_skip(unsigned *v, unsigned long long n,
                                        int kind) {
  for (int place = 0; n; ++place, n >>= 4)
    if (const int digit = (int)(n & 15))
      gpuexec_xorwow_jump(
          v, gpuexec_xorwow_jumps[(kind * 16 + place) * 15 + digit - 1]);
}

GPUEXEC_RANDOM void skipahead(unsigned long long n, curandStateXORWOW *state) {
  gpuexec_xorwow_skip(state->v, n, 0);
  state->d += 362437u * (unsigned)n;
}
// 2^67 * 362437 is 0 in 32 bits: d stays.
GPUEXEC_RANDOM void skipahead_sequence(unsigned long long n,
                                       curandStateXORWOW *state) {
  gpuexec_xorwow_skip(state->v, n, 1);
}

GPUEXEC_RANDOM void curand_init(unsigned long long seed,
                                unsigned long long sequence,
                                unsigned long long offset,
                                curandStateXORWOW *state) {
  const unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
  const unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
  *state = {};
  state->d = 6615241u + low + high;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}

GPUEXEC_RANDOM unsigned curand(curandStateXORWOW *state) {
  gpuexec_xorwow_step(state->v);
  state->d += 362437u;
  return state->d + state->v[4];
}

#endif
// NOLINTEND
