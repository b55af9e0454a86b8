//===-- rpc/protocol/client.h - The device's side of the mailbox
//-----------===//
// Calls of a whole wave to the host: open a port, send and receive packets in
// the order the opcode says (opcodes.def), close. Spec section 2; compatible on
// the wire with LLVM 20..22. C11 (-std=gnu11: clang's own <gpuintrin.h> says
// asm) for AMDGPU and NVPTX.
//
// Every function is called by all lanes of the port's mask together. The mask
// is what was active at rpc_open() with the same opcode, and it is used from
// there on: on NVIDIA lanes may drift apart at any branch, so an index or a
// mailbox word is always the first lane's, all lanes meet before a packet is
// handed over, and one lane stores.
//
//     rpc_port port = rpc_open(RPC_TEST_INCREMENT);
//     rpc_packet *packet = rpc_send_begin(&port);
//     packet->words[0] = value;              // this lane's slot only
//     rpc_send_end(&port);
//     value = rpc_recv(&port)->words[0];     // valid until the next call
//     rpc_close(&port);
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_CLIENT_H
#define GPUEXEC_RPC_CLIENT_H

#include "protocol.h"
#include <gpuintrin.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Defined once in the program (the C library does) with protected visibility
/// and zeroed; the loader fills it in.
extern __attribute__((visibility("protected"))) rpc_client22 __llvm_rpc_client;

/// The same, see protocol.h.
extern __attribute__((
    visibility("protected"))) rpc_extensions __gpuexec_rpc_extensions;

/// What the device's waves know about the ports, a word each. Mailbox words are
/// on the other side of the bus: who closes a port notes for the next what it
/// would have to ask there. Defined once, as the two above, and zeroed; no
/// loader looks at it.
#define RPC_NOTED_PORTS 4096u
extern __attribute__((
    visibility("protected"))) uint32_t __gpuexec_rpc_ports[RPC_NOTED_PORTS];

/// The same for express slots: the last tag, or RPC_EXPRESS_TAKEN.
#define RPC_EXPRESS_TAKEN 0xFFFFFFFFu
extern __attribute__((
    visibility("protected"))) uint32_t __gpuexec_rpc_express[RPC_EXPRESS_SLOTS];

/// What the loader has filled in is the same for as long as a kernel runs, so
/// it may be kept in registers, and be loaded once for a whole wave.
#ifdef __AMDGPU__
#define RPC_FILLED_IN(object)                                                  \
  (*(const __attribute__((                                                     \
      address_space(4))) __typeof__(object) *)(uintptr_t)&(object))
#else
#define RPC_FILLED_IN(object) (*(const __typeof__(object) *)&(object))
#endif

enum {
  RPC_NOTE_OUT = 1,       ///< what our outbox holds, unless the word is 0
  RPC_NOTE_FREE = 2,      ///< our inbox holds the same
  RPC_NOTE_ASK = 4,       ///< our inbox must be looked at
  RPC_NOTE_TAKEN = 1 << 8 ///< a wave has the port
};

/// An open port, one copy per lane. All but `packet` is uniform over the mask.
typedef struct rpc_port {
  uint64_t mask;      ///< lanes that take part
  uint32_t *inbox;    ///< the server writes, we only read
  uint32_t *outbox;   ///< the reverse
  rpc_packet *packet; ///< this lane's slot
  uint32_t index;
  uint32_t out;  ///< what the outbox holds
  bool owns;     ///< the buffer is ours
  bool received; ///< the last operation was a receive
} rpc_port;

#define RPC_INLINE static inline __attribute__((unused))

/// The lanes that are active here, to be the mask of what they do together. Not
/// what they have in common: see rpc_lanes_of().
RPC_INLINE uint64_t rpc_lane_mask(void) {
#ifdef __NVPTX__
  // ptxas takes the result of activemask for the same in all lanes that ever
  // meet. But groups of lanes with masks of their own do meet, in a loop, say,
  // and then each would go by another's mask (seen on an H200 with CUDA 13.0).
  // So every lane makes its own of it, in a way that says nothing to ptxas: the
  // lanes up to this one and those after it are all lanes.
  return __gpu_lane_mask() & (__nvvm_read_ptx_sreg_lanemask_le() |
                              __nvvm_read_ptx_sreg_lanemask_gt());
#else
  return __gpu_lane_mask();
#endif
}

/// Those of them that hold the same `value`. All lanes that come here together
/// must do so; but on NVIDIA that says little in code that is shared: lanes
/// that had drifted apart, and came with other values from elsewhere, meet at
/// the instructions that they have in common.
RPC_INLINE uint64_t rpc_lanes_of(uint64_t value) {
#ifdef __NVPTX__
  return __gpu_match_any_u64(rpc_lane_mask(), value);
#else
  (void)value;
  return rpc_lane_mask();
#endif
}

// Order. Clang 22 widens what is scoped to the whole system on NVPTX, where a
// fence waits for what is on its way over the bus, and forgets the order of
// read-modify-writes: there it is written down. A fence is both a release,
// which waits, and an acquire, which empties the first level cache; so what
// needs one of them alone does without a fence. Within a block either is next
// to nothing, and many a program is one block.
#if defined(__NVPTX__) && __CUDA_ARCH__ >= 700
#define RPC_PTX_ORDER 1
#else
#define RPC_PTX_ORDER 0
#endif

RPC_INLINE bool rpc_one_block(void) {
  return __gpu_num_blocks_x() * __gpu_num_blocks_y() * __gpu_num_blocks_z() ==
         1;
}

/// Orders this wave against the program's other waves.
RPC_INLINE void rpc_device_fence(void) {
#if RPC_PTX_ORDER
  if (rpc_one_block())
    __asm__ volatile("fence.acq_rel.cta;" ::: "memory");
  else
    __asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
#else
  __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
#endif
}

/// For a lock between the program's waves, which one lane of a group takes for
/// all: they meet (__gpu_sync_lane) behind this, acquire, and before the other,
/// release; that orders theirs as well.
RPC_INLINE uint32_t rpc_exchange_acquire(uint32_t *word, uint32_t value) {
#if RPC_PTX_ORDER
  uint32_t before;
  if (rpc_one_block())
    __asm__ volatile("atom.relaxed.gpu.exch.b32 %0, [%1], %2;\n\t"
                     "fence.acq_rel.cta;"
                     : "=r"(before)
                     : "l"(word), "r"(value)
                     : "memory");
  else
    __asm__ volatile("atom.acquire.gpu.exch.b32 %0, [%1], %2;"
                     : "=r"(before)
                     : "l"(word), "r"(value)
                     : "memory");
  return before;
#else
  return __scoped_atomic_exchange_n(word, value, __ATOMIC_ACQUIRE,
                                    __MEMORY_SCOPE_DEVICE);
#endif
}

RPC_INLINE void rpc_store_release(uint32_t *word, uint32_t value) {
#if RPC_PTX_ORDER
  if (rpc_one_block())
    __asm__ volatile("fence.acq_rel.cta;\n\t"
                     "st.relaxed.gpu.b32 [%0], %1;" ::"l"(word),
                     "r"(value)
                     : "memory");
  else
    __asm__ volatile("st.release.gpu.b32 [%0], %1;" ::"l"(word), "r"(value)
                     : "memory");
#else
  __scoped_atomic_store_n(word, value, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
#endif
}

/// To memory that the host reads: what it sees of ours is at least this old.
RPC_INLINE void rpc_tell_host(uint32_t *word, uint32_t value) {
#if RPC_PTX_ORDER
  __asm__ volatile("st.release.sys.b32 [%0], %1;" ::"l"(word), "r"(value)
                   : "memory");
#else
  __scoped_atomic_store_n(word, value, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
#endif
}

RPC_INLINE uint32_t rpc_load_mailbox(const rpc_port *port,
                                     const uint32_t *word) {
  uint32_t value =
      __scoped_atomic_load_n(word, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
  return __gpu_read_first_lane_u32(port->mask, value);
}

/// Does the loader that started us serve this (RPC_FEATURE_*)? One that knows
/// of no features has left them zero.
RPC_INLINE bool rpc_has_feature(uint32_t feature) {
  return RPC_FILLED_IN(__gpuexec_rpc_extensions).features & feature;
}

/// Where this wave is in the grid.
typedef struct rpc_wave {
  uint32_t number;  ///< counted over the grid
  uint32_t count;   ///< of the grid's
  uint32_t thread;  ///< this lane's, in its block
  uint32_t threads; ///< of the block
} rpc_wave;

RPC_INLINE rpc_wave rpc_this_wave(void) {
  rpc_wave wave;
  wave.threads =
      __gpu_num_threads_x() * __gpu_num_threads_y() * __gpu_num_threads_z();
  wave.thread =
      __gpu_thread_id_x() +
      __gpu_num_threads_x() *
          (__gpu_thread_id_y() + __gpu_num_threads_y() * __gpu_thread_id_z());
  uint32_t block =
      __gpu_block_id_x() +
      __gpu_num_blocks_x() *
          (__gpu_block_id_y() + __gpu_num_blocks_y() * __gpu_block_id_z());
  uint32_t blocks =
      __gpu_num_blocks_x() * __gpu_num_blocks_y() * __gpu_num_blocks_z();
  uint32_t lanes = __gpu_num_lanes();
  uint32_t per_block = (wave.threads + lanes - 1) / lanes;
  wave.number = block * per_block + wave.thread / lanes;
  wave.count = blocks * per_block;
  return wave;
}

/// Where a wave looks for a port first, and how many ports are its own: no two
/// waves that run at the same time share one as long as there are enough.
/// `lines`: see rpc_extensions.
RPC_INLINE uint32_t rpc_first_index(uint64_t mask, uint32_t port_count,
                                    uint32_t lines, uint32_t *own) {
  const rpc_wave place = rpc_this_wave();
  const uint32_t wave = __gpu_read_first_lane_u32(mask, place.number);
  *own = port_count >= 2 * place.count ? 2 : 1;
  if (*own == 1 || !lines)
    return wave * *own % port_count;
  // Where many wait at one line of the host's memory, each waits for all.
  uint32_t shift = (uint32_t)__builtin_ctz(lines),
           in_line = port_count >> shift;
  return (wave & (lines - 1)) * in_line +
         ((wave >> shift) * *own & (in_line - 1));
}

/// Opens a free port for `opcode`, waiting until there is one. Close it.
RPC_INLINE rpc_port rpc_open(uint32_t opcode) {
#define RPC_CLIENT RPC_FILLED_IN(__llvm_rpc_client)
  uint32_t count = RPC_CLIENT.port_count;
  if (count > RPC_NOTED_PORTS)
    count = RPC_NOTED_PORTS;
  rpc_port port;
  port.mask = rpc_lanes_of(opcode);
  port.owns = true;
  port.received = false;
  bool leader = __gpu_is_first_in_lane(port.mask);

  uint32_t own;
  const uint32_t first =
      rpc_first_index(port.mask, count,
                      RPC_FILLED_IN(__gpuexec_rpc_extensions).port_lines, &own);
  uint32_t index = first, tries = 0, rounds = 0;
  for (;;) {
    uint32_t *note = &__gpuexec_rpc_ports[index];
    // One lane takes the port for all.
    uint32_t noted = RPC_NOTE_TAKEN;
    // Acquire: what the port's last user wrote before it gave it up.
    if (leader)
      noted = rpc_exchange_acquire(note, RPC_NOTE_TAKEN);
    noted = __gpu_read_first_lane_u32(port.mask, noted);
    if (noted != RPC_NOTE_TAKEN) {
      __gpu_sync_lane(port.mask);
      port.inbox = (uint32_t *)RPC_CLIENT.inbox + index;
      port.outbox = (uint32_t *)RPC_CLIENT.outbox + index;
      port.out = noted & RPC_NOTE_OUT;
      if (noted & RPC_NOTE_FREE)
        break;
      if (!noted)
        port.out = rpc_load_mailbox(&port, port.outbox);
      if (rpc_load_mailbox(&port, port.inbox) == port.out)
        break;
      // The server has yet to finish with the port's last user.
      if (leader)
        __scoped_atomic_store_n(note, RPC_NOTE_ASK | port.out, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE);
      __gpu_sync_lane(port.mask);
    }
    index = index + 1 == count ? 0 : index + 1;
    // A wave whose own ports are with the server does best to wait for it: in
    // the others' it stands in their way. Only who waits long looks further,
    // twice as far every few rounds.
    if (++tries >= own << rounds / 8) {
      tries = 0;
      index = first;
      if (own << rounds / 8 < count)
        ++rounds;
      __gpu_thread_suspend();
    }
  }

  port.index = index;
  port.packet = (rpc_packet *)RPC_CLIENT.packets +
                (uint64_t)index * __gpu_num_lanes() + __gpu_lane_id();
  if (leader) {
    rpc_header *header = (rpc_header *)RPC_CLIENT.headers + index;
    header->lane_mask = port.mask;
    header->opcode = opcode;
  }
  __gpu_sync_lane(port.mask);
  return port;
}

/// Waits until the server has handed the buffer back.
RPC_INLINE void rpc_wait(rpc_port *port) {
  while (rpc_load_mailbox(port, port->inbox) != port->out)
    __gpu_thread_suspend();
  // Acquire: the server's packets were written before it flipped our inbox.
  __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM);
}

RPC_INLINE void rpc_hand_over(rpc_port *port) {
  __gpu_sync_lane(port->mask);
  port->out = !port->out;
  // Release: every lane's packet, and on the first send the header.
  if (__gpu_is_first_in_lane(port->mask))
    rpc_tell_host(port->outbox, port->out);
  __gpu_sync_lane(port->mask);
}

/// This lane's slot, to be filled; then rpc_send_end(). Words that are not
/// written keep what they held.
RPC_INLINE rpc_packet *rpc_send_begin(rpc_port *port) {
  if (!port->owns)
    rpc_wait(port);
  return port->packet;
}

/// Hands every lane's packet to the server.
RPC_INLINE void rpc_send_end(rpc_port *port) {
  rpc_hand_over(port);
  port->owns = false;
  port->received = false;
}

/// The server's next packet; it stays readable until the next call on the port.
RPC_INLINE const rpc_packet *rpc_recv(rpc_port *port) {
  if (port->received) { // two receives in a row: acknowledge the first
    rpc_hand_over(port);
    port->owns = false;
  }
  if (!port->owns)
    rpc_wait(port);
  port->received = true;
  port->owns = true;
  return port->packet;
}

/// Gives the port up. Whatever was sent last is still served.
RPC_INLINE void rpc_close(rpc_port *port) {
  __gpu_sync_lane(port->mask);
  // Release: our use of the port is over before another wave may take it.
  if (__gpu_is_first_in_lane(port->mask))
    rpc_store_release(&__gpuexec_rpc_ports[port->index],
                      (port->owns ? RPC_NOTE_FREE : RPC_NOTE_ASK) | port->out);
  __gpu_sync_lane(port->mask);
}

// A packet's worth in one piece when it is whole, so that the compiler makes
// wide accesses of it; the tail byte by byte.
RPC_INLINE void rpc_copy(void *to, const void *from, uint64_t size,
                         uint64_t whole) {
  unsigned char *out = (unsigned char *)to;
  const unsigned char *in = (const unsigned char *)from;
  if (size == whole && whole == RPC_PACKET_BYTES)
    __builtin_memcpy(out, in, RPC_PACKET_BYTES);
  else if (size == whole && whole == RPC_FIRST_STREAM_BYTES)
    __builtin_memcpy(out, in, RPC_FIRST_STREAM_BYTES);
  else
    for (uint64_t i = 0; i < size; ++i)
      out[i] = in[i];
}

RPC_INLINE uint64_t rpc_min(uint64_t a, uint64_t b) { return a < b ? a : b; }

/// Sends `size` bytes per lane as a stream; sizes may differ, 0 is fine.
RPC_INLINE void rpc_send_n(rpc_port *port, const void *data, uint64_t size) {
  const unsigned char *from = (const unsigned char *)data;
  rpc_packet *packet = rpc_send_begin(port);
  packet->words[0] = size;
  rpc_copy(packet->bytes + 8, from, rpc_min(size, RPC_FIRST_STREAM_BYTES),
           RPC_FIRST_STREAM_BYTES);
  rpc_send_end(port);
  for (uint64_t at = RPC_FIRST_STREAM_BYTES;
       __gpu_ballot(port->mask, at < size); at += RPC_PACKET_BYTES) {
    packet = rpc_send_begin(port);
    if (at < size)
      rpc_copy(packet->bytes, from + at, rpc_min(size - at, RPC_PACKET_BYTES),
               RPC_PACKET_BYTES);
    rpc_send_end(port);
  }
}

/// What follows the first packet of a stream of `size` bytes per lane: `packet`
/// is that first packet. Bytes beyond `capacity` are received and dropped.
RPC_INLINE void rpc_recv_rest(rpc_port *port, const rpc_packet *packet,
                              void *buffer, uint64_t capacity, uint64_t size) {
  unsigned char *to = (unsigned char *)buffer;
  uint64_t keep = rpc_min(size, capacity);
  rpc_copy(to, packet->bytes + 8, rpc_min(keep, RPC_FIRST_STREAM_BYTES),
           RPC_FIRST_STREAM_BYTES);
  for (uint64_t at = RPC_FIRST_STREAM_BYTES;
       __gpu_ballot(port->mask, at < size); at += RPC_PACKET_BYTES) {
    packet = rpc_recv(port);
    if (at < keep)
      rpc_copy(to + at, packet->bytes, rpc_min(keep - at, RPC_PACKET_BYTES),
               RPC_PACKET_BYTES);
  }
}

/// Receives a stream into at most `capacity` bytes of `buffer` and returns the
/// size that was sent, which may be more. All packets are consumed in any case.
RPC_INLINE uint64_t rpc_recv_n(rpc_port *port, void *buffer,
                               uint64_t capacity) {
  const rpc_packet *packet = rpc_recv(port);
  uint64_t size = packet->words[0];
  rpc_recv_rest(port, packet, buffer, capacity, size);
  return size;
}

/// Receives a stream into memory that `allocate` gives (called by each lane
/// with its size, 0 included). Where it returns null the bytes are dropped. The
/// caller frees.
RPC_INLINE void *rpc_recv_n_allocate(rpc_port *port, uint64_t *size,
                                     void *(*allocate)(size_t)) {
  const rpc_packet *packet = rpc_recv(port);
  *size = packet->words[0];
  void *buffer = allocate((size_t)*size);
  rpc_recv_rest(port, packet, buffer, buffer ? *size : 0, *size);
  return buffer;
}

//===-- gpuexec's extension
//------------------------------------------------===//

/// May the host read and write here by itself? Not a wave's own memory: stack
/// and LDS addresses mean something on this wave alone.
RPC_INLINE bool rpc_is_bulk_address(const void *address) {
  return !__gpu_is_ptr_local((void *)address) &&
         !__gpu_is_ptr_private((void *)address);
}

/// Should this lane's transfer use a BULK_* opcode? Lanes of one wave may
/// answer differently; each group then opens a port of its own.
RPC_INLINE bool rpc_use_bulk(const void *address, uint64_t size) {
  return rpc_has_feature(RPC_FEATURE_BULK) &&
         size >= RPC_FILLED_IN(__gpuexec_rpc_extensions).bulk_threshold &&
         rpc_is_bulk_address(address);
}

RPC_INLINE void rpc_put_cell(uint64_t *cell, uint32_t tag, uint64_t data) {
  __scoped_atomic_store_n(cell, (uint64_t)tag << 32 | (uint32_t)data,
                          __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
}
RPC_INLINE void rpc_put_cell_release(uint64_t *cell, uint32_t tag,
                                     uint64_t data) {
  const uint64_t value = (uint64_t)tag << 32 | (uint32_t)data;
#if RPC_PTX_ORDER
  __asm__ volatile("st.release.sys.b64 [%0], %1;" ::"l"(cell), "l"(value)
                   : "memory");
#else
  __scoped_atomic_store_n(cell, value, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
#endif
}
RPC_INLINE uint64_t rpc_look_at_cell(const uint64_t *cell) {
  return __scoped_atomic_load_n(cell, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
}

/// What a lane asks for with rpc_call().
typedef struct rpc_words {
  uint64_t words[RPC_COLUMNS_WORDS]; ///< in: the request's; out: the answer's
  uint32_t error; ///< out: the host's errno, 0 where it offers none
} rpc_words;

/// What is known of a call, the same in all lanes that call together.
enum {
  RPC_CALL_ONE_IN = 1,  ///< nothing but word 0 counts on the way there
  RPC_CALL_ONE_OUT = 2, ///< and on the way back; the others are unspecified
  RPC_CALL_READS = 4,   ///< the host sees the program's memory as it is now
  RPC_CALL_WRITES = 8,  ///< and the program what the host writes there
};

/// A call of a single lane. False, and nothing is sent, when there is no free
/// express slot: use a port then. Loads over the bus are what it costs: each
/// look at the answer is one. (No loops over cells: code that is not optimised
/// shall ask for all it wants before it waits as well.)
RPC_INLINE bool rpc_call_express(uint32_t opcode, rpc_words *call,
                                 uint32_t kind) {
  if (!rpc_has_feature(RPC_FEATURE_EXPRESS))
    return false;
  uint32_t own;
  uint32_t slot = rpc_first_index(rpc_lane_mask(), RPC_EXPRESS_SLOTS, 0, &own);
  uint32_t *note = &__gpuexec_rpc_express[slot];
  uint32_t before = __scoped_atomic_exchange_n(
      note, RPC_EXPRESS_TAKEN, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  if (before == RPC_EXPRESS_TAKEN)
    return false;
  rpc_express *line =
      (rpc_express *)RPC_FILLED_IN(__gpuexec_rpc_extensions).express + slot;
  uint32_t number = ((before >> 3) + 1) & 0x0FFFFFFF;
  uint32_t tag = (number ? number : 1) << 3 |
                 (kind & RPC_CALL_ONE_IN ? 1 : RPC_COLUMNS_WORDS);
  // Whoever sees one of the cells sees what was written before it: that is a
  // release, and the first, so that it need not wait for the others to cross
  // the bus. (The host reads all of them and then our memory, be it through the
  // copy engine: it starts that after it has read.)
  if (kind & RPC_CALL_READS)
    rpc_put_cell_release(&line->request[1], tag, call->words[0]);
  else
    rpc_put_cell(&line->request[1], tag, call->words[0]);
  rpc_put_cell(&line->request[2], tag, call->words[0] >> 32);
  if (!(kind & RPC_CALL_ONE_IN)) {
    rpc_put_cell(&line->request[3], tag, call->words[1]);
    rpc_put_cell(&line->request[4], tag, call->words[1] >> 32);
    rpc_put_cell(&line->request[5], tag, call->words[2]);
    rpc_put_cell(&line->request[6], tag, call->words[2] >> 32);
  }
  rpc_put_cell(&line->request[0], tag, opcode);
#if defined(__NVPTX__)
  const uint32_t patience = 1000; // a look takes longer than a nap
#else
  const uint32_t patience = 0;
#endif
  uint64_t first;
  for (uint32_t looks = 0;; ++looks) {
    first = rpc_look_at_cell(&line->answer[0]);
    if (((uint32_t)(first >> 32) & ~RPC_EXPRESS_SHORT) == tag)
      break;
    if (looks >= patience)
      __gpu_thread_suspend();
  }
  call->words[0] = (uint32_t)first;
  call->error = 0;
  if (!(kind & RPC_CALL_ONE_OUT) || !(first >> 32 & RPC_EXPRESS_SHORT)) {
    uint64_t mark = (uint64_t)tag << 32;
    uint64_t b, c, d, e, f, g;
    do {
      b = rpc_look_at_cell(&line->answer[1]);
      c = rpc_look_at_cell(&line->answer[RPC_EXPRESS_ERRNO_CELL]);
      d = rpc_look_at_cell(&line->answer[RPC_EXPRESS_WORD1_CELL]);
      e = rpc_look_at_cell(&line->answer[RPC_EXPRESS_WORD1_CELL + 1]);
      f = rpc_look_at_cell(&line->answer[RPC_EXPRESS_WORD2_CELL]);
      g = rpc_look_at_cell(&line->answer[RPC_EXPRESS_WORD2_CELL + 1]);
      b ^= mark, c ^= mark, d ^= mark, e ^= mark, f ^= mark, g ^= mark;
    } while ((b | c | d | e | f | g) >> 32);
    call->words[0] |= b << 32;
    call->error = (uint32_t)c;
    call->words[1] = d | e << 32;
    call->words[2] = f | g << 32;
  }
  // Acquire: what the host wrote to our memory.
  if (kind & RPC_CALL_WRITES)
    __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM);
  // The slot's next user needs nothing of ours but the tag.
  __scoped_atomic_store_n(note, tag, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  return true;
}

/// The commonest call, by the quickest way there is: C {words} · S {words}.
RPC_INLINE void rpc_call(uint32_t opcode, rpc_words *call, uint32_t kind) {
  uint64_t mask = rpc_lane_mask();
  if (!(mask & (mask - 1)) && rpc_call_express(opcode, call, kind))
    return;
  // In columns or in packets: how far a lane's words are apart.
  const bool columns = rpc_has_feature(RPC_FEATURE_COLUMNS);
  const uint32_t step = columns ? __gpu_num_lanes() : 1;
  rpc_port port = rpc_open(columns ? opcode | RPC_COLUMNS : opcode);
  if (columns && __gpu_is_first_in_lane(port.mask))
    ((rpc_header *)RPC_CLIENT.headers + port.index)->columns =
        kind & RPC_CALL_ONE_OUT ? 1 : RPC_COLUMNS_WORDS;
  uint64_t *words = port.packet->words;
  if (columns)
    words -= (RPC_PACKET_WORDS - 1) * __gpu_lane_id();
  words[0] = call->words[0];
  if (!(kind & RPC_CALL_ONE_IN)) {
    words[step] = call->words[1];
    words[2 * step] = call->words[2];
  }
  rpc_send_end(&port);
  rpc_recv(&port);
  const uint32_t *error =
      columns
          ? (uint32_t *)(words - __gpu_lane_id() + RPC_COLUMNS_WORDS * step) +
                __gpu_lane_id()
          : (uint32_t *)(words + RPC_ERRNO_WORD);
  call->error = rpc_has_feature(RPC_FEATURE_ERRNO) ? *error : 0;
  call->words[0] = words[0];
  if (!(kind & RPC_CALL_ONE_OUT)) {
    call->words[1] = words[step];
    call->words[2] = words[2 * step];
  }
  rpc_close(&port);
}

#ifdef __cplusplus
}
#endif

#endif // GPUEXEC_RPC_CLIENT_H
