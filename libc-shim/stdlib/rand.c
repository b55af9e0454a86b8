//===-- libc-shim/stdlib/rand.c - rand() and srand() ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/stdlib/random_generator.h"
#include <stdlib.h>

int rand(void) { return __random_next(); }
void srand(unsigned seed) { __random_seed(seed); }
