//===-- replay/player/process.h - The process of gpu-replay -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whoever links the player defines these: the fuzzer goes on with the next
// input where gpu-replay ends.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_PROCESS_H
#define GPUEXEC_REPLAY_PLAYER_PROCESS_H

#include "replay/core/bytes.h"

/// Exit statuses, as gpuexec's.
enum { STATUS_FAILED = 125, STATUS_NOT_RUNNABLE = 126, STATUS_NOT_FOUND = 127 };

/// Ends the process with a line on standard error, "gpu-replay: error: ...",
/// whose unprintable characters are escaped.
_Noreturn void fail(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Prints lines on standard error, whose unprintable characters are escaped:
/// names in them come from the recording. Nothing else is printed there, but
/// what the program prints.
void say(const char *text);

#endif // GPUEXEC_REPLAY_PLAYER_PROCESS_H
