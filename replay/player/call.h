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
/// Words of the requests of BULK_..., and of MALLOC and ALLOCATE.
enum { BULK_HANDLE, BULK_ADDRESS, BULK_LENGTH, BULK_OFFSET };
enum { ALLOCATE_SIZE, ALLOCATE_ALIGNMENT };

struct call {
  struct port *port;
  const char *name;
  struct sequence sequence;
  /// As it is recorded; `request` refers to `notes`. Without an answer.
  struct recorded_call noted;
  uint64_t addresses[64];
  struct buffer notes;
  /// Of the request: words of all packets, then streams.
  uint64_t words[MOST_WORDS][64];
  unsigned word_count;
  struct buffer streams[MOST_STREAMS][64];
  unsigned stream_count;
  struct print_call print;
  /// How far it is: the step that goes on next, and in it what has come, or the
  /// bytes of each lane that were sent.
  unsigned step;
  struct transfer incoming;
  uint64_t sent;
  /// Of the answer: packed as in a recording, and what of it is left to send.
  struct buffer answer;
  struct packed left;
  uint64_t results[RPC_PACKET_WORDS][64]; ///< the step's, of a packet
  struct bytes parts[64];                 ///< the step's, else
};

/// What calls act on.
struct host {
  struct device *device;
  struct mailbox *mailbox;
};

/// Copies between the host and the program's memory, which may be the mailbox
/// itself. errno or 0.
int read_memory(struct host *host, void *to, uint64_t from, uint64_t size);
int write_memory(struct host *host, uint64_t to, const void *from,
                 uint64_t size);

/// May the program's own calls read, or write, all of that memory?
bool holds_memory(struct host *host, uint64_t address, uint64_t size,
                  bool writes);

/// Receives the request and notes it. False: not all of it has come.
bool receive_request(struct host *host, struct call *call);

/// Sends the answer. False: the client has not yet taken all before the last
/// packet. `left` has failed when it is not what the opcode's sequence says.
bool send_answer(struct call *call);

#endif // GPUEXEC_REPLAY_PLAYER_CALL_H
