//===-- loader/session/children.h - What the program started ----*- C++ -*-===//
//-*-
// A program that is ended from outside takes what it started with system() or
// popen() along: nobody would wait for them any more.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SESSION_CHILDREN_H
#define GPUEXEC_LOADER_SESSION_CHILDREN_H

#include <sys/types.h>
#include <vector>

namespace gpuexec {

/// All processes that descend from this one, parents before children. Once a
/// parent is gone its children are nobody's: ask first.
std::vector<pid_t> descendants();

} // namespace gpuexec

#endif
