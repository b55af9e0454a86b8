//===-- libc-shim/stdlib/getopt_state.h - State of getopt() ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_GETOPT_STATE_H
#define GPUEXEC_LIBC_GETOPT_STATE_H

#include "libc-shim/device/thread_state.h"

/// The calling thread's state, whose member getopt is initialised.
thread_state *__getopt_state(void);

#endif
