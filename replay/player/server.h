//===-- replay/player/server.h - Serves the program's calls ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread: from the recording, or live. While a call's next packet is
// awaited, the calls of other ports go on.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_SERVER_H
#define GPUEXEC_REPLAY_PLAYER_SERVER_H

#include "replay/player/answers.h"
#include "replay/player/call.h"

struct live;

struct server {
  struct host host;
  struct mailbox mailbox;
  const struct plan *plan;
  struct answers *answers; ///< NULL: live
  struct live *live;
  bool has_mailbox;
  unsigned deferred; ///< calls that wait for an answer
  unsigned passes;   ///< over all ports, while calls waited
};

/// Sets up the mailbox of the plan's program, in memory of the device.
void create_server(struct server *server);

/// Serves what waits now. False: nothing did.
bool serve(struct server *server);
/// All waves have ended, and there was nothing left to serve: fails when one of
/// them was in the middle of a call.
void check_all_ended(struct server *server);

/// The program ends: writes out what is left, compares with the recording and
/// ends the process.
_Noreturn void end_program(struct server *server, struct end end);

/// Tells what is wrong, and ends the process: the program's call is none that
/// can be served.
_Noreturn void refuse(const struct call *call, const char *why);

#endif // GPUEXEC_REPLAY_PLAYER_SERVER_H
