//===-- libc-shim/math/signgam.c - lgamma's sign, per thread --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/thread_state.h"

int *__signgam(void) { return &__thread_state()->reent._gamma_signgam; }
