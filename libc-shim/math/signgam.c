//===-- libc-shim/math/signgam.c - lgamma's sign, per thread --------------===//
#include "libc-shim/device/thread_state.h"

int *__signgam(void) { return &__thread_state()->reent._gamma_signgam; }
