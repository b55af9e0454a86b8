//===-- replay/player/server.h - Serves the program's calls ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread serves all calls, from the recording or live. While one call waits
// for its next packet, the calls of other ports go on.
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

/// Serves the ports that wait now. False: none did.
bool serve(struct server *server);
/// Call it when all waves have ended and nothing is left to serve: fails if a
/// wave has ended in the middle of a call.
void check_all_ended(struct server *server);

/// The program ends: writes out what is left, compares with the recording and
/// ends the process.
_Noreturn void end_program(struct server *server, struct end end);

/// Ends the process with a message: the call cannot be served, for the reason
/// `why`.
_Noreturn void refuse(const struct call *call, const char *why);

#endif // GPUEXEC_REPLAY_PLAYER_SERVER_H
