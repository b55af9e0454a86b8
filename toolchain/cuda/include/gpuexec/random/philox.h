//===-- toolchain/cuda/include/gpuexec/random/philox.h - Philox 4x32-10 ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names are those of CUDA's interface.
// J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. The
// seed is the key, the sequence the high half of the counter, the offset in
// fours its low half.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_RANDOM_PHILOX_H
#define GPUEXEC_CUDA_RANDOM_PHILOX_H

#include "common.h"

struct curandStatePhilox4_32_10 : gpuexec_random_kept {
  uint4 ctr;      ///< the counter of `output`
  uint4 output;   ///< the four numbers that the counter gives
  uint2 key;      ///< the seed
  unsigned STATE; ///< how many of the four are used
};

GPUEXEC_RANDOM uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
    c = uint4{(unsigned)(b >> 32) ^ c.y ^ k.x, (unsigned)b,
              (unsigned)(a >> 32) ^ c.w ^ k.y, (unsigned)a};
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}

/// Adds `n` to a half of the counter; true when it went over.
GPUEXEC_RANDOM bool gpuexec_philox_add(unsigned &low, unsigned &high,
                                       unsigned long long n) {
  const unsigned long long old = (unsigned long long)high << 32 | low;
  low = (unsigned)(old + n);
  high = (unsigned)((old + n) >> 32);
  return old + n < old;
}
GPUEXEC_RANDOM void gpuexec_philox_next(curandStatePhilox4_32_10 *state,
                                        unsigned long long n) {
  if (gpuexec_philox_add(state->ctr.x, state->ctr.y, n))
    gpuexec_philox_add(state->ctr.z, state->ctr.w, 1);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

GPUEXEC_RANDOM void skipahead(unsigned long long n,
                              curandStatePhilox4_32_10 *state) {
  state->STATE += (unsigned)(n & 3);
  n >>= 2;
  if (state->STATE > 3) {
    state->STATE -= 4;
    ++n;
  }
  gpuexec_philox_next(state, n);
}
GPUEXEC_RANDOM void skipahead_sequence(unsigned long long n,
                                       curandStatePhilox4_32_10 *state) {
  gpuexec_philox_add(state->ctr.z, state->ctr.w, n);
  gpuexec_philox_next(state, 0);
}

GPUEXEC_RANDOM void curand_init(unsigned long long seed,
                                unsigned long long sequence,
                                unsigned long long offset,
                                curandStatePhilox4_32_10 *state) {
  *state = {};
  state->key = uint2{(unsigned)seed, (unsigned)(seed >> 32)};
  gpuexec_philox_add(state->ctr.z, state->ctr.w, sequence);
  skipahead(offset, state);
}

GPUEXEC_RANDOM unsigned curand(curandStatePhilox4_32_10 *state) {
  const uint4 all = state->output;
  const unsigned n = state->STATE++;
  if (n == 3) {
    state->STATE = 0;
    gpuexec_philox_next(state, 1);
  }
  return n == 0 ? all.x : n == 1 ? all.y : n == 2 ? all.z : all.w;
}

/// The next four numbers at once.
GPUEXEC_RANDOM uint4 curand4(curandStatePhilox4_32_10 *state) {
  const uint4 a = state->output;
  gpuexec_philox_next(state, 1);
  const uint4 b = state->output;
  switch (state->STATE) {
  case 0:
    return a;
  case 1:
    return uint4{a.y, a.z, a.w, b.x};
  case 2:
    return uint4{a.z, a.w, b.x, b.y};
  default:
    return uint4{a.w, b.x, b.y, b.z};
  }
}

#endif
// NOLINTEND
