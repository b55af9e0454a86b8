//===-- rpc/protocol/client_call.h - Calls that gpuexec makes quicker ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuexec's extensions of the protocol, as the loader offers them (protocol.h,
// rpc_extensions): calls with up to three words each way, through a fast slot
// or as a structure of arrays; calls of a lane with a longer request, through a
// fast slot; and BULK_* transfers, for which the host copies
// from or to the program's memory. Under another loader all calls go through
// the packets of client.h, which includes this file at its end.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_CLIENT_CALL_H
#define GPUEXEC_RPC_CLIENT_CALL_H

#ifdef __cplusplus
extern "C" {
#endif

/// Whether the host can read and write at `address` for BULK_*. False for stack
/// and LDS, whose addresses have a meaning only on this wave.
RPC_INLINE bool rpc_is_bulk_address(const void *address) {
  return !__gpu_is_ptr_local((void *)address) &&
         !__gpu_is_ptr_private((void *)address);
}

/// Whether this lane's transfer should use a BULK_* opcode. Lanes of one wave
/// may get different answers; each group of lanes then opens its own port.
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
/// Both halves of a word, in two adjacent cells.
RPC_INLINE void rpc_put_cells(uint64_t *cells, uint32_t tag, uint64_t data) {
#if RPC_PTX_ORDER
  const uint64_t mark = (uint64_t)tag << 32;
  __asm__ volatile("st.relaxed.sys.v2.b64 [%0], {%1, %2};" ::"l"(cells),
                   "l"(mark | (uint32_t)data), "l"(mark | data >> 32)
                   : "memory");
#else
  rpc_put_cell(cells, tag, data);
  rpc_put_cell(cells + 1, tag, data >> 32);
#endif
}
RPC_INLINE uint64_t rpc_look_at_cell(const uint64_t *cell) {
  return __scoped_atomic_load_n(cell, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
}

/// Looks at an answer. `acquires`: once the cell has its tag, we see all that
/// the host wrote to our memory before.
RPC_INLINE uint64_t rpc_look_at_answer(const uint64_t *cell, bool acquires) {
#if RPC_PTX_ORDER
  // Not a fence behind the load, which would also wait for our own writes.
  if (acquires) {
    uint64_t value;
    __asm__ volatile("ld.acquire.sys.b64 %0, [%1];"
                     : "=l"(value)
                     : "l"(cell)
                     : "memory");
    return value;
  }
#endif
  (void)acquires;
  return rpc_look_at_cell(cell);
}

/// A lane's request and answer in rpc_call().
typedef struct rpc_words {
  uint64_t words[RPC_SOA_WORDS]; ///< in: the request's; out: the answer's
  uint32_t error; ///< out: the host's errno, 0 where it offers none
} rpc_words;

/// Properties of a call, the same in all lanes that call together.
enum {
  RPC_CALL_ONE_IN = 1,  ///< only word 0 of the request is used
  RPC_CALL_ONE_OUT = 2, ///< only word 0 of the answer is used
  RPC_CALL_READS = 4,   ///< the host reads memory that the program wrote
  RPC_CALL_WRITES = 8,  ///< the host writes memory that the program will read
};

/// A fast slot that this lane has taken.
typedef struct rpc_taken_slot {
  rpc_fast_slot *line;
  uint32_t *note;
  uint32_t slot, wave;
  uint32_t number; ///< of the request
  uint32_t tag;    ///< of the request's cells
} rpc_taken_slot;

/// Takes a fast slot, for a single lane. False when no slot is free.
RPC_INLINE bool rpc_take_fast_slot(rpc_taken_slot *taken) {
  uint32_t own;
  const uint32_t slot =
      rpc_first_index(rpc_lane_mask(), RPC_FAST_SLOTS, 0, &own, &taken->wave);
  taken->note = &__gpuexec_rpc_fast_slots[slot];
  const uint32_t before = __scoped_atomic_exchange_n(
      taken->note, RPC_FAST_TAKEN, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  if (before == RPC_FAST_TAKEN)
    return false;
  taken->slot = slot;
  taken->line =
      (rpc_fast_slot *)RPC_FILLED_IN(__gpuexec_rpc_extensions).fast_slots +
      slot;
  const uint32_t number = ((before >> 3) + 1) & 0x0FFFFFFF;
  taken->number = number ? number : 1;
  return true;
}

/// Waits for the answer of a fast slot and gives the slot back. Most of the
/// time of a call are these loads of the answer's cells over the bus. (The
/// cells are read without a loop, so that even unoptimised code issues all
/// loads before it waits for the first.)
RPC_INLINE void rpc_wait_for_fast_slot(const rpc_taken_slot *taken,
                                       rpc_words *call, uint32_t kind) {
  const rpc_fast_slot *line = taken->line;
  const uint32_t tag = taken->tag;
#if defined(__NVPTX__)
  const uint32_t patience = 1000; // a look takes longer than a nap
#else
  const uint32_t patience = 0;
#endif
  uint64_t first;
  for (uint32_t looks = 0;; ++looks) {
    first = rpc_look_at_answer(&line->answer[0], kind & RPC_CALL_WRITES);
    if (((uint32_t)(first >> 32) & ~RPC_FAST_SHORT) == tag)
      break;
    if (looks >= patience)
      __gpu_thread_suspend();
  }
  call->words[0] = (uint32_t)first;
  call->error = 0;
  if (!(kind & RPC_CALL_ONE_OUT) || !(first >> 32 & RPC_FAST_SHORT)) {
    uint64_t mark = (uint64_t)tag << 32;
    uint64_t b, c, d, e, f, g;
    do {
      b = rpc_look_at_cell(&line->answer[1]);
      c = rpc_look_at_cell(&line->answer[RPC_FAST_ERRNO_CELL]);
      d = rpc_look_at_cell(&line->answer[RPC_FAST_WORD1_CELL]);
      e = rpc_look_at_cell(&line->answer[RPC_FAST_WORD1_CELL + 1]);
      f = rpc_look_at_cell(&line->answer[RPC_FAST_WORD2_CELL]);
      g = rpc_look_at_cell(&line->answer[RPC_FAST_WORD2_CELL + 1]);
      b ^= mark, c ^= mark, d ^= mark, e ^= mark, f ^= mark, g ^= mark;
    } while ((b | c | d | e | f | g) >> 32);
    call->words[0] |= b << 32;
    call->error = (uint32_t)c;
    call->words[1] = d | e << 32;
    call->words[2] = f | g << 32;
  }
  // Acquire: see all that the host wrote to our memory.
  if (!RPC_PTX_ORDER && kind & RPC_CALL_WRITES)
    __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM);
  // Relaxed: the slot's next user needs nothing but the tag.
  __scoped_atomic_store_n(taken->note, tag, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_DEVICE);
}

/// A call of a single lane through a fast slot. False when no slot is free:
/// nothing is sent, and the caller uses a port.
RPC_INLINE bool rpc_call_fast(uint32_t opcode, rpc_words *call, uint32_t kind) {
  rpc_taken_slot taken;
  if (!rpc_has_feature(RPC_FEATURE_FAST_PATH) || !rpc_take_fast_slot(&taken))
    return false;
  rpc_fast_slot *line = taken.line;
  const uint32_t wave = taken.wave;
  // The caller's wave and lane, if sent, follow the words of the request.
  const bool tells_caller = rpc_has_feature(RPC_FEATURE_CALLERS);
  const bool in_one_cell = tells_caller && wave < RPC_FAST_CALLER_WAVES &&
                           rpc_has_feature(RPC_FEATURE_CALLER_CELL);
  const uint32_t tag =
      taken.number << 3 | (in_one_cell              ? RPC_FAST_CALLER_WORDS
                           : tells_caller           ? RPC_FAST_WORDS
                           : kind & RPC_CALL_ONE_IN ? 1
                                                    : RPC_SOA_WORDS);
  taken.tag = tag;
  // One release store is enough, because the host reads our memory only after
  // it has read all cells (it starts the copy engine after that, too). The
  // first cell is the one, so that the release does not wait for the other
  // cells to cross the bus.
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
  if (tells_caller) {
    if (kind & RPC_CALL_ONE_IN)
      for (uint32_t i = 3; i < 7; ++i)
        rpc_put_cell(&line->request[i], tag, 0);
    if (in_one_cell) {
      rpc_put_cell(&line->request[7], tag,
                   RPC_FAST_CALLER(wave, __gpu_lane_id()));
    } else {
      rpc_put_cell(&line->request[7], tag, RPC_CALLER(wave));
      rpc_put_cell(&line->request[8], tag, __gpu_lane_id());
    }
  }
  rpc_put_cell(&line->request[0], tag, opcode);
  rpc_wait_for_fast_slot(&taken, call, kind);
  return true;
}

/// Sends the request of a call of a single lane: a stream of `count` words, at
/// most RPC_LONG_BYTES. The answer is a packet, of which
/// rpc_wait_for_fast_slot() gives words 0 to 2. `kind`: RPC_CALL_READS, the
/// same as there. False when the loader or the moment offers no slot: nothing
/// is sent, and the caller uses a port.
RPC_INLINE bool rpc_send_long(uint32_t opcode, const uint64_t *words,
                              uint32_t count, rpc_taken_slot *taken,
                              uint32_t kind) {
  const uint64_t mask = rpc_lane_mask();
  if (mask & (mask - 1) || !rpc_has_feature(RPC_FEATURE_LONG_REQUESTS) ||
      !rpc_take_fast_slot(taken))
    return false;
  const uint32_t tag = taken->tag = taken->number << 3 | RPC_FAST_LONG;
  // Release first, as in rpc_call_fast(): it waits for no cell.
  const uint64_t size = 8 * (uint64_t)count;
  if (kind & RPC_CALL_READS)
    rpc_put_cell_release(&taken->line->request[1], tag, size);
  else
    rpc_put_cell(&taken->line->request[1], tag, size);
  rpc_put_cell(&taken->line->request[0], tag, opcode);
  uint64_t *cells = ((rpc_long_request *)RPC_FILLED_IN(__gpuexec_rpc_extensions)
                         .long_requests +
                     taken->slot)
                        ->cells;
  for (uint32_t i = 0; i < count; ++i)
    rpc_put_cells(cells + 2 * i, tag, words[i]);
  return true;
}

/// Makes a call "C {words}, S {words}" by the quickest way that the loader
/// offers: a fast slot for a single lane, else a port.
RPC_INLINE void rpc_call(uint32_t opcode, rpc_words *call, uint32_t kind) {
  uint64_t mask = rpc_lane_mask();
  if (!(mask & (mask - 1)) && rpc_call_fast(opcode, call, kind))
    return;
  // `step`: the distance between two words of a lane, in 64-bit words.
  const bool soa = rpc_has_feature(RPC_FEATURE_SOA);
  const uint32_t step = soa ? __gpu_num_lanes() : 1;
  rpc_port port = rpc_open(soa ? opcode | RPC_SOA : opcode);
  if (soa && __gpu_is_first_in_lane(port.mask))
    ((rpc_header *)RPC_CLIENT.headers + port.index)->soa_words =
        port.caller | (kind & RPC_CALL_ONE_OUT ? 1 : RPC_SOA_WORDS);
  uint64_t *words = port.packet->words;
  if (soa)
    words -= (RPC_PACKET_WORDS - 1) * __gpu_lane_id();
  words[0] = call->words[0];
  if (!(kind & RPC_CALL_ONE_IN)) {
    words[step] = call->words[1];
    words[2 * step] = call->words[2];
  }
  rpc_send_end(&port);
  rpc_recv(&port);
  const uint32_t *error =
      soa ? (uint32_t *)(words - __gpu_lane_id() + RPC_SOA_WORDS * step) +
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

#endif // GPUEXEC_RPC_CLIENT_CALL_H
