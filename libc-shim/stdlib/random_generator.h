//===-- libc-shim/stdlib/random_generator.h - glibc's generator -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expected outputs of many programs contain numbers of glibc's random(), so
// each thread gets the same sequence as a program on Linux. rand() is random()
// by another name. Each has a file of its own, since programs define functions
// of these names.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_RANDOM_GENERATOR_H
#define GPUEXEC_LIBC_RANDOM_GENERATOR_H

#include "libc-shim/device/thread_state.h"

/// A generator. The larger a state is, the higher the degree of the generator
/// that initstate() chooses.
typedef struct {
  unsigned char degree, separation; ///< see random_generator.c
  unsigned short bytes;             ///< the least size of a state for it
} random_generator;
enum { RANDOM_DEFAULT = 3, RANDOM_GENERATORS = 5 };
extern const random_generator __random_generators[RANDOM_GENERATORS];

/// The calling thread's next number, of 31 bits. Seeded with 1 before the first
/// call of __random_seed().
int32_t __random_next(void);
void __random_seed(unsigned value);

/// The calling thread's generator, seeded with 1 at its first use.
random_state *__random_state(void);
/// Seeds a generator whose words and type are set.
void __random_fill(random_state *, unsigned value);

#endif
