//===-- replay/player/process.h - The process of gpu-replay -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program that links the player defines these functions: where gpu-replay
// ends, the fuzzer goes on with the next input.
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

/// Prints lines on standard error, with unprintable characters escaped, because
/// they may contain names from the recording. Only these functions and the
/// program print there.
void say(const char *text);

#endif // GPUEXEC_REPLAY_PLAYER_PROCESS_H
