//===-- debug-info/enter.h - Into confinement -------------------*- C++ -*-===//
// The first step of a confined child. Private to debug-info/.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DEBUG_INFO_ENTER_H
#define GPUEXEC_DEBUG_INFO_ENTER_H

#include "debug-info/confined.h"

namespace gpuexec::debug_info {

enum ChildStatus { done = 0, no_limits = 1, no_filter = 2 };

/// Confines this process, which has just been forked: closes all descriptors
/// but `one` and `two`, removes signal handlers, sets the limits and loads a
/// filter of system calls. None of it can be undone. When a step fails it ends
/// the process with a ChildStatus.
void enter_confinement(int one, int two, const Limits &limits);

} // namespace gpuexec::debug_info

#endif
