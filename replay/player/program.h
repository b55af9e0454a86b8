//===-- replay/player/program.h - An image, wired up and run --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_PLAYER_PROGRAM_H
#define GPUEXEC_REPLAY_PLAYER_PROGRAM_H

#include "replay/player/server.h"

/// Loads the image and runs it to its end, then ends the process.
_Noreturn void run_program(struct server *server, struct bytes image,
                           struct names arguments, struct names environment);

#endif // GPUEXEC_REPLAY_PLAYER_PROGRAM_H
