//===-- support/processors.h - How many processors there are ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SUPPORT_PROCESSORS_H
#define GPUEXEC_SUPPORT_PROCESSORS_H

#include <sched.h>

namespace gpuexec {

/// The processors that the calling thread may use; CPU_SETSIZE where the
/// machine has more than a cpu_set_t can tell.
inline unsigned usable_processors() {
  cpu_set_t ours;
  return ::sched_getaffinity(0, sizeof(ours), &ours) == 0
             ? unsigned(CPU_COUNT(&ours))
             : unsigned(CPU_SETSIZE);
}

} // namespace gpuexec

#endif
