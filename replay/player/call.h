//===-- replay/player/call.h - One call of a wave -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_PLAYER_CALL_H
#define GPUEXEC_REPLAY_PLAYER_CALL_H

#include "replay/core/recording.h"
#include "replay/core/sequence.h"
#include "replay/player/device.h"
#include "replay/player/mailbox.h"
#include "replay/player/print.h"

enum { MOST_WORDS = 24, MOST_STREAMS = 5 };
/// Indices of words in the requests of BULK_..., and of MALLOC and ALLOCATE.
enum { BULK_HANDLE, BULK_ADDRESS, BULK_LENGTH, BULK_OFFSET };
enum { ALLOCATE_SIZE, ALLOCATE_ALIGNMENT };

struct call {
  struct port *port;
  const char *name;
  struct sequence sequence;
  /// The call in the recording's form, without its answer; `request` refers to
  /// `notes`.
  struct recorded_call noted;
  uint64_t addresses[64];
  struct buffer notes;
  /// The request: the words of all its packets, and its streams.
  uint64_t words[MOST_WORDS][64];
  unsigned word_count;
  struct buffer streams[MOST_STREAMS][64];
  unsigned stream_count;
  struct print_call print;
  /// The progress: the current step; in that step the streams that have
  /// arrived, or the number of bytes of each lane that were sent.
  unsigned step;
  struct transfer incoming;
  uint64_t sent;
  /// The answer, packed as in a recording, and the rest that is not yet sent.
  struct buffer answer;
  struct packed left;
  uint64_t results[RPC_PACKET_WORDS][64]; ///< words of a step that is a packet
  struct bytes parts[64];                 ///< bytes of another step
};

/// The device and mailbox on which calls act.
struct host {
  struct device *device;
  struct mailbox *mailbox;
};

/// Copies between the host and the program's memory, which may be the mailbox
/// itself. errno or 0.
int read_memory(struct host *host, void *to, uint64_t from, uint64_t size);
int write_memory(struct host *host, uint64_t to, const void *from,
                 uint64_t size);

/// Whether a call may read, or if `writes` write, all of that memory for the
/// program.
bool holds_memory(struct host *host, uint64_t address, uint64_t size,
                  bool writes);

/// Receives the request and notes it. False: not all of it has arrived.
bool receive_request(struct host *host, struct call *call);

/// Sends the answer. False: the client has not yet taken an earlier packet;
/// call again. If the answer does not fit the opcode's sequence, left.failed is
/// set.
bool send_answer(struct call *call);

#endif // GPUEXEC_REPLAY_PLAYER_CALL_H
