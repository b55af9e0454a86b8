//===-- toolchain/cuda/include/gpuexec/random/sobol.h - Sobol's sequences --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names are those of CUDA's interface.
// I. Antonov and V. Saleev's form of Sobol's sequence: each point changes the
// one before by the direction number of the lowest 0 of the point's index. The
// direction numbers are the caller's. A scrambled sequence begins with its
// scramble in place of 0.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_RANDOM_SOBOL_H
#define GPUEXEC_CUDA_RANDOM_SOBOL_H

#include "common.h"

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

struct curandStateSobol32 {
  unsigned i, x, c, direction_vectors[32];
};
struct curandStateScrambledSobol32 : curandStateSobol32 {};
struct curandStateSobol64 {
  unsigned long long i, x, c, direction_vectors[64];
};
struct curandStateScrambledSobol64 : curandStateSobol64 {};

/// Point `n` of a sequence, by Gray's code of its index.
template <class State, class Word>
GPUEXEC_RANDOM void gpuexec_sobol_go_to(State *state, Word n) {
  state->i = n;
  state->x = state->c;
  const Word code = n ^ (n >> 1);
  for (unsigned bit = 0; bit < 8 * sizeof(Word); ++bit)
    if (code >> bit & 1)
      state->x ^= state->direction_vectors[bit];
}
template <class State, class Word>
GPUEXEC_RANDOM void gpuexec_sobol_init(const Word *vectors, Word scramble,
                                       Word offset, State *state) {
  for (unsigned bit = 0; bit < 8 * sizeof(Word); ++bit)
    state->direction_vectors[bit] = vectors[bit];
  state->c = scramble;
  gpuexec_sobol_go_to(state, offset);
}
template <class State>
GPUEXEC_RANDOM auto gpuexec_sobol_next(State *state) -> decltype(state->c) {
  const auto point = state->x;
  // ~i is 0 at the sequence's last point only.
  if (const unsigned long long zeros = ~(unsigned long long)state->i) {
    const int lowest = __builtin_ctzll(zeros);
    if (lowest < (int)(8 * sizeof(point)))
      state->x ^= state->direction_vectors[lowest];
  }
  ++state->i;
  return point;
}

GPUEXEC_RANDOM void curand_init(const unsigned *direction_vectors,
                                unsigned offset, curandStateSobol32 *state) {
  gpuexec_sobol_init(direction_vectors, 0u, offset, state);
}
GPUEXEC_RANDOM void curand_init(const unsigned *direction_vectors,
                                unsigned scramble, unsigned offset,
                                curandStateScrambledSobol32 *state) {
  gpuexec_sobol_init(direction_vectors, scramble, offset, state);
}
GPUEXEC_RANDOM void curand_init(const unsigned long long *direction_vectors,
                                unsigned long long offset,
                                curandStateSobol64 *state) {
  gpuexec_sobol_init(direction_vectors, 0ull, offset, state);
}
GPUEXEC_RANDOM void curand_init(const unsigned long long *direction_vectors,
                                unsigned long long scramble,
                                unsigned long long offset,
                                curandStateScrambledSobol64 *state) {
  gpuexec_sobol_init(direction_vectors, scramble, offset, state);
}
GPUEXEC_RANDOM unsigned curand(curandStateSobol32 *state) {
  return gpuexec_sobol_next(state);
}
GPUEXEC_RANDOM unsigned long long curand(curandStateSobol64 *state) {
  return gpuexec_sobol_next(state);
}
GPUEXEC_RANDOM void skipahead(unsigned n, curandStateSobol32 *state) {
  gpuexec_sobol_go_to(state, state->i + n);
}
GPUEXEC_RANDOM void skipahead(unsigned long long n, curandStateSobol64 *state) {
  gpuexec_sobol_go_to(state, state->i + n);
}

#endif
// NOLINTEND
