//===-- libc-shim/src/signgam.c - lgamma's sign, per thread ---------------===//
#include "thread_state.h"

int *__signgam(void) { return &__thread_state()->reent._gamma_signgam; }
