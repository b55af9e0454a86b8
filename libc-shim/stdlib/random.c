//===-- libc-shim/stdlib/random.c - random() and srandom() ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/stdlib/random_generator.h"
#include <stdlib.h>

long random(void) { return __random_next(); }
void srandom(unsigned seed) { __random_seed(seed); }
