//===-- loader/process/children.h - What the program started ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program starts commands with system() and popen(). When it is ended from
// outside they get the same signal, because nobody would wait for them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_CHILDREN_H
#define GPUEXEC_LOADER_PROCESS_CHILDREN_H

#include <sys/types.h>
#include <vector>

namespace gpuexec {

/// All processes that descend from this one, parents before children. To be
/// called before any of them is ended: the kernel gives the children of a
/// process that has ended to another parent.
std::vector<pid_t> descendants();

} // namespace gpuexec

#endif
