//===-- debug-info/enter.h - Into confinement -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first step of a confined child. Private to debug-info/.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DEBUG_INFO_ENTER_H
#define GPUEXEC_DEBUG_INFO_ENTER_H

#include "debug-info/confined.h"

namespace gpuexec::debug_info {

enum ChildStatus { DONE = 0, NO_LIMITS = 1, NO_FILTER = 2 };

/// Confines this process, which has just been forked: closes all descriptors
/// but `one` and `two`, removes signal handlers, sets the limits and loads a
/// filter of system calls. None of it can be undone. When a step fails it ends
/// the process with a ChildStatus.
void enter_confinement(int one, int two, const Limits &limits);

} // namespace gpuexec::debug_info

#endif
