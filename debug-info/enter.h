//===-- debug-info/enter.h - Into confinement -------------------*- C++ -*-===//
// What a child does first. For this folder alone.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DEBUG_INFO_ENTER_H
#define GPUEXEC_DEBUG_INFO_ENTER_H

#include "debug-info/confined.h"

namespace gpuexec::debug_info {

enum ChildStatus { done = 0, no_limits = 1, no_filter = 2 };

/// Confines this process, which was just forked, for ever: no descriptors but
/// `one` and `two`, no signal handlers, limits, a filter of system calls. Ends
/// it where that cannot be done.
void enter_confinement(int one, int two, const Limits &limits);

} // namespace gpuexec::debug_info

#endif
