//===-- libc-shim/stdlib/random.c - random() and srandom() ----------------===//
#include "libc-shim/stdlib/random_generator.h"
#include <stdlib.h>

long random(void) { return __random_next(); }
void srandom(unsigned seed) { __random_seed(seed); }
