//===-- replayer/print.h - PRINTF_TO_... (spec section 3.9) ---------------===//
#ifndef GPUEXEC_REPLAYER_PRINT_H
#define GPUEXEC_REPLAYER_PRINT_H

#include "replayer/call.h"

/// What the lanes of a call print.
struct print_call {
  uint64_t handles[64]; ///< what the request calls the stream
  int errors[64];       ///< errno or 0
  size_t begins[64], sizes[64];
  struct buffer texts; ///< of all lanes
};

/// After receive_request(): receives the rest, makes the texts and notes them
/// as the call's request. `llvm_style`: of clients that are not ours.
void make_texts(struct host *host, struct call *call, bool llvm_style,
                struct print_call *print);

/// Sends results, which are packed as in a recording. False when they are
/// damaged.
bool send_printed(struct call *call, struct bytes answer);

#endif // GPUEXEC_REPLAYER_PRINT_H
