//===-- replay/player/print.h - PRINTF_TO_... (spec section 3.9) ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_PLAYER_PRINT_H
#define GPUEXEC_REPLAY_PLAYER_PRINT_H

#include "replay/core/bytes.h"

struct call;
struct host;
struct print_lane;

/// A printf of a call's lanes. All zero: nothing has arrived.
struct print_call {
  uint64_t handles[64]; ///< of the streams, as the request has them
  int errors[64];       ///< errno or 0
  size_t begins[64], sizes[64];
  struct buffer texts; ///< of all lanes
  // While they are received:
  struct print_lane *lanes;
  enum { NOTHING, ARGUMENTS, STRINGS } receives;
  struct buffer received[64];
};

/// After receive_request(): receives arguments and strings, formats the texts
/// and notes them as the call's request. `llvm_style`: how LLVM's clients
/// expect the texts (print_format()). False: not all has arrived.
bool make_texts(struct host *host, struct call *call, bool llvm_style);

/// Sends results, as send_answer().
bool send_printed(struct call *call);

#endif // GPUEXEC_REPLAY_PLAYER_PRINT_H
