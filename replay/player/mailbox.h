//===-- replay/player/mailbox.h - The mailbox seen by the host ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ports, and packets in and out of them (spec sections 1 and 2). The device may
// rewrite all of it at any time: each word is read once, and our own words are
// kept here. No fast slots and no structures of arrays are offered.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_MAILBOX_H
#define GPUEXEC_REPLAY_PLAYER_MAILBOX_H

#include "replay/core/bytes.h"
#include "rpc/protocol/protocol.h"

/// Of a lane's stream no more is kept.
#define MOST_STREAM_BYTES ((uint64_t)1 << 30)
#define MOST_REQUEST_BYTES ((uint64_t)4 << 30)

struct mailbox;
struct call;

/// Where a port's call is. RECEIVING and SENDING go on with the client's next
/// packet, WAITING when there is an answer.
enum port_state { UNUSED, RECEIVING, WAITING, SENDING };

/// One slot, which a whole wave uses at once.
struct port {
  struct mailbox *mailbox;
  uint32_t index;
  uint32_t own; ///< our word
  bool owns, received;
  uint64_t mask;     ///< lanes of the call
  struct call *call; ///< of the request that was received last, or NULL
  enum port_state state;
};

struct mailbox {
  uint8_t *host;
  uint64_t address; ///< on the device
  uint32_t port_count, doorbell_size, client_size;
  uint32_t lanes;      ///< of the waves that run
  uint32_t most_lanes; ///< that each port has room for
  bool short_opcodes;
  const char *program; ///< for messages
  struct port *ports;
};

/// For the client of an image: sets all but the memory. False for a size that
/// no version has.
bool lay_out(struct mailbox *mailbox, uint64_t client_size, bool version_19,
             uint32_t ports, uint32_t lanes);
uint64_t mailbox_size(const struct mailbox *mailbox);
struct rpc_output *mailbox_output(const struct mailbox *mailbox);
/// `size` bytes of the mailbox at a device's address, or NULL.
uint8_t *mailbox_view(const struct mailbox *mailbox, uint64_t address,
                      uint64_t size);

/// What is copied over the image's client and extensions.
struct buffer client_object(const struct mailbox *mailbox);
struct rpc_extensions extensions_object(const struct mailbox *mailbox,
                                        uint64_t bulk_threshold,
                                        bool with_callers);

/// Does the port wait for the server?
bool is_pending(const struct port *port);
/// Takes a new request, if there is one: sets the lanes. Opcode and caller, 0
/// for an unknown one.
bool open_port(struct port *port, uint32_t *opcode, uint32_t *caller);

// Nothing waits: a function that needs what has not come returns false, and is
// called again when the port is pending. Other waves would wait, too.

/// The client's next packet. False: it has not come.
bool receive(struct port *port);
/// May the packets be filled? False: they are still the client's.
bool begin_send(struct port *port);
void hand_over(struct port *port);
uint64_t read_word(const struct port *port, uint64_t lane, unsigned word);
rpc_packet *packet_of(const struct port *port, uint64_t lane);

/// Streams that arrive. All zero: none of their packets has come.
struct transfer {
  uint64_t at; ///< bytes of each lane that have come
  uint64_t sizes[64], longest, total;
};

/// A stream from or to each lane; of lanes that take no part anything. False:
/// not all packets have come.
bool receive_streams(struct port *port, struct transfer *transfer,
                     struct buffer streams[64]);
/// Fills one packet with the bytes from `at` on, which it moves on. False: it
/// is the last one.
bool fill_streams(struct port *port, const struct bytes streams[64],
                  uint64_t *at);

/// The device has broken the protocol: ends the process.
_Noreturn void port_error(const struct port *port, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif // GPUEXEC_REPLAY_PLAYER_MAILBOX_H
