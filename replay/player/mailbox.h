//===-- replay/player/mailbox.h - The mailbox seen by the host ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ports, and packets in and out of them (spec sections 1 and 2). The device may
// overwrite the mailbox at any time: each word is read once, and the host's
// words are kept here. The extensions fast slots and structures of arrays are
// not offered.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_MAILBOX_H
#define GPUEXEC_REPLAY_PLAYER_MAILBOX_H

#include "replay/core/bytes.h"
#include "rpc/protocol/protocol.h"

/// The most bytes that are kept of a lane's stream, and of a wave's.
#define MOST_STREAM_BYTES ((uint64_t)1 << 30)
#define MOST_REQUEST_BYTES ((uint64_t)4 << 30)

struct mailbox;
struct call;

/// The state of a port's call. RECEIVING and SENDING go on with the client's
/// next packet, WAITING when an answer is found.
enum port_state { UNUSED, RECEIVING, WAITING, SENDING };

/// One slot, which a whole wave uses at once.
struct port {
  struct mailbox *mailbox;
  uint32_t index;
  uint32_t own; ///< the host's word
  bool owns, received;
  uint64_t mask;     ///< lanes of the call
  struct call *call; ///< of the request that was received last, or NULL
  enum port_state state;
};

struct mailbox {
  uint8_t *host;
  uint64_t address; ///< on the device
  uint32_t port_count, doorbell_size, client_size;
  uint32_t lanes;      ///< of a wave of the running kernel
  uint32_t most_lanes; ///< packets per port
  bool short_opcodes;
  const char *program; ///< for messages
  struct port *ports;
};

/// Sets all members but the memory, for an image's client of `client_size`
/// bytes. False for a size that no version has.
bool lay_out(struct mailbox *mailbox, uint64_t client_size, bool version_19,
             uint32_t ports, uint32_t lanes);
uint64_t mailbox_size(const struct mailbox *mailbox);
struct rpc_output *mailbox_output(const struct mailbox *mailbox);
/// The host's pointer to `size` bytes of the mailbox at a device address; NULL
/// if they are not in the mailbox.
uint8_t *mailbox_view(const struct mailbox *mailbox, uint64_t address,
                      uint64_t size);

/// The bytes to be copied over the image's client object, and over its
/// extensions object.
struct buffer client_object(const struct mailbox *mailbox);
struct rpc_extensions extensions_object(const struct mailbox *mailbox,
                                        uint64_t bulk_threshold,
                                        bool with_callers);

/// Whether the port waits for the server.
bool is_pending(const struct port *port);
/// Takes a new request: sets the port's lanes, `*opcode`, and `*caller`, which
/// is 0 if not known. False: there is none.
bool open_port(struct port *port, uint32_t *opcode, uint32_t *caller);

// No function waits, because all other waves would wait, too: a function that
// needs a packet that has not arrived returns false, and is called again when
// the port is pending.

/// Receives the client's next packet. False: it has not arrived.
bool receive(struct port *port);
/// Whether the host may fill the packets. False: the client still owns them.
bool begin_send(struct port *port);
void hand_over(struct port *port);
uint64_t read_word(const struct port *port, uint64_t lane, unsigned word);
rpc_packet *packet_of(const struct port *port, uint64_t lane);

/// The progress of streams that arrive. All zero: no packet has arrived.
struct transfer {
  uint64_t at; ///< bytes of each lane that have arrived
  uint64_t sizes[64], longest, total;
};

/// Receives a stream from each lane; streams of lanes that do not take part are
/// undefined. False: not all packets have arrived.
bool receive_streams(struct port *port, struct transfer *transfer,
                     struct buffer streams[64]);
/// Fills one packet of each lane with the stream's bytes from `*at` on, and
/// adds their number to `*at`. False: it is the last packet.
bool fill_streams(struct port *port, const struct bytes streams[64],
                  uint64_t *at);

/// The device has broken the protocol: ends the process.
_Noreturn void port_error(const struct port *port, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif // GPUEXEC_REPLAY_PLAYER_MAILBOX_H
