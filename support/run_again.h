//===-- support/run_again.h - Where a library may crash ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SUPPORT_RUN_AGAIN_H
#define GPUEXEC_SUPPORT_RUN_AGAIN_H

/// From now on, should the process crash, it prints `why` as a warning and
/// starts again from its beginning with `assignment` (NAME=value) in its
/// environment, if it runs a program of its own. Both are constants. Null: no more. For a call of a library that
/// is known to crash, before the program has done anything. The gpuexec
/// executable defines the function (loader/apps/last_resort.cpp); null in other
/// processes.
extern "C" [[gnu::weak, gnu::visibility("default")]] void
gpuexec_run_again_on_crash(const char *assignment, const char *why);

#endif
