//===-- rpc/server/mailbox.cpp - Which ports wait for the server ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares 64 mailbox words at a time, with the widest vectors that the machine
// has. The device changes the words meanwhile, which thread sanitizer would
// report as a race; the answer is only a hint (mailbox.h).
//===----------------------------------------------------------------------===//
#include "rpc/server/mailbox.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace gpuexec::rpc;

#define NO_TSAN __attribute__((no_sanitize("thread")))

namespace {

NO_TSAN uint64_t differ_words(const uint32_t *a, const uint32_t *b,
                              uint32_t count) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < count; ++i)
    bits |= uint64_t(*(volatile const uint32_t *)(a + i) != b[i]) << i;
  return bits;
}

#if defined(__x86_64__)
NO_TSAN uint64_t differ_sse2(const uint32_t *a, const uint32_t *b) {
  uint64_t equal = 0;
  for (unsigned i = 0; i < 64; i += 16) {
    __m128i part[4];
    for (unsigned k = 0; k < 4; ++k)
      part[k] = _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)(a + i) + k),
                                _mm_loadu_si128((const __m128i *)(b + i) + k));
    __m128i bytes = _mm_packs_epi16(_mm_packs_epi32(part[0], part[1]),
                                    _mm_packs_epi32(part[2], part[3]));
    equal |= uint64_t(uint32_t(_mm_movemask_epi8(bytes))) << i;
  }
  return ~equal;
}

__attribute__((target("avx2"))) NO_TSAN uint64_t
differ_avx2(const uint32_t *a, const uint32_t *b) {
  uint64_t equal = 0;
  for (unsigned i = 0; i < 64; i += 8) {
    __m256i part =
        _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)(a + i)),
                           _mm256_loadu_si256((const __m256i *)(b + i)));
    equal |= uint64_t(uint32_t(_mm256_movemask_ps(_mm256_castsi256_ps(part))))
             << i;
  }
  return ~equal;
}

__attribute__((target("avx512f"))) NO_TSAN uint64_t
differ_avx512(const uint32_t *a, const uint32_t *b) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < 64; i += 16)
    bits |= uint64_t(_mm512_cmpneq_epi32_mask(_mm512_loadu_si512(a + i),
                                              _mm512_loadu_si512(b + i)))
            << i;
  return bits;
}
#else
uint64_t differ_plain(const uint32_t *a, const uint32_t *b) {
  return differ_words(a, b, 64);
}
#endif

} // namespace

Mailbox::Mailbox(const Layout &layout, void *buffer)
    : port_count(layout.ports), short_opcodes(layout.short_opcodes),
      stride(layout.lanes), fast_base((layout.ports + 63) / 64 * 64) {
  char *base = static_cast<char *>(buffer);
  to_device = reinterpret_cast<uint32_t *>(base + layout.inbox_offset());
  from_device = reinterpret_cast<uint32_t *>(base + layout.outbox_offset());
  headers = reinterpret_cast<rpc_header *>(base + layout.headers_offset());
  packets = reinterpret_cast<rpc_packet *>(base + layout.packets_offset());
  cells = reinterpret_cast<rpc_fast_slot *>(base + layout.fast_slots_offset());
  long_requests = reinterpret_cast<rpc_long_request *>(
      base + layout.long_requests_offset());
  own = std::make_unique<uint32_t[]>(groups() * 64);
  fast_slots = std::make_unique<FastSlot[]>(RPC_FAST_SLOTS);
#if defined(__x86_64__)
  differ = __builtin_cpu_supports("avx512f") ? differ_avx512
           : __builtin_cpu_supports("avx2")  ? differ_avx2
                                             : differ_sse2;
#else
  differ = differ_plain;
#endif
}

uint64_t Mailbox::pending_ports(uint32_t group) const {
  uint32_t first = group * 64;
  // Makes the compiler load the words again at each call.
  asm volatile("" ::: "memory");
  if (port_count - first >= 64)
    return differ(from_device + first, own.get() + first);
  return differ_words(from_device + first, own.get() + first,
                      port_count - first); // never beyond the array
}

NO_TSAN void Mailbox::prefetch_soa(uint32_t group, uint64_t bits) const {
  constexpr uint32_t LINE = 64;
  for (; bits; bits &= bits - 1) {
    uint32_t port = group * 64 + uint32_t(llvm::countr_zero(bits));
    if (port >= port_count || short_opcodes ||
        !(*(volatile uint32_t *)&headers[port].opcode & RPC_SOA))
      continue;
    const char *first = reinterpret_cast<const char *>(packet(port, 0));
    for (uint32_t at = 0; at < lanes() * sizeof(uint64_t); at += LINE)
      __builtin_prefetch(first + at, 1);
    const char *errors = first + RPC_SOA_WORDS * lanes() * sizeof(uint64_t);
    for (uint32_t at = 0; at < lanes() * sizeof(uint32_t); at += LINE)
      __builtin_prefetch(errors + at, 1);
  }
}

//===-- Fast slots: rpc_fast_slot in protocol.h -----------------------------===//

static uint64_t load_cell(uint64_t &cell) {
  return std::atomic_ref(cell).load(std::memory_order_relaxed);
}

uint64_t Mailbox::pending_fast() const {
  uint64_t bits = 0;
  for (uint32_t slot = 0; slot < RPC_FAST_SLOTS; ++slot)
    bits |= uint64_t(load_cell(cells[slot].request[0]) >> 32 !=
                     fast_slots[slot].tag.load(std::memory_order_relaxed))
            << slot;
  return bits;
}

/// Reads a request of some words. False if cells of it have not arrived yet.
bool Mailbox::take_words(uint32_t slot, uint32_t tag) {
  FastSlot &mine = fast_slots[slot];
  const uint32_t words = tag & 7;
  uint64_t data[RPC_FAST_WORDS] = {};
  for (uint32_t i = 0; i < RPC_FAST_CELLS(words); ++i) {
    uint64_t cell = load_cell(cells[slot].request[1 + i]);
    if (cell >> 32 != tag)
      return false;
    data[i / 2] |= uint64_t(uint32_t(cell)) << (i % 2 * 32);
  }
  mine.packets[0] = {};
  std::copy(data, std::end(data), mine.packets[0].words);
  // The last word names the caller; no opcode of a fast slot has a fourth word.
  const uint64_t last = data[RPC_FAST_WORDS - 1];
  const bool in_one_cell = words == RPC_FAST_CALLER_WORDS;
  mine.header.soa_words =
      in_one_cell ? uint32_t(last) >> 6 << 2 : uint32_t(last);
  mine.lane = uint32_t(in_one_cell ? last : last >> 32) % RPC_MAX_LANES;
  return true;
}

/// Reads a request that is a stream of `size` bytes, at most RPC_LONG_BYTES,
/// likewise.
bool Mailbox::take_stream(uint32_t slot, uint32_t tag, uint32_t size) {
  FastSlot &mine = fast_slots[slot];
  uint32_t data[RPC_LONG_CELLS];
  const uint32_t count = (size + 3) / 4;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t cell = load_cell(long_requests[slot].cells[i]);
    if (cell >> 32 != tag)
      return false;
    data[i] = uint32_t(cell);
  }
  mine.packets[0].words[0] = size;
  std::memcpy(reinterpret_cast<char *>(mine.packets) + sizeof(uint64_t), data,
              count * sizeof *data);
  mine.header.soa_words = 0;
  mine.lane = 0;
  return true;
}

void Mailbox::take(uint32_t slot) {
  FastSlot &mine = fast_slots[slot];
  if (inbox(fast_base + slot) != outbox(fast_base + slot))
    return; // the slot's last request is still being served
  uint64_t first = load_cell(cells[slot].request[0]);
  uint32_t tag = uint32_t(first >> 32), words = tag & 7;
  if (tag == mine.tag.load(std::memory_order_relaxed))
    return;
  const bool is_long = words == RPC_FAST_LONG;
  const uint64_t size = is_long ? load_cell(cells[slot].request[1]) : 0;
  if (is_long && size >> 32 != tag)
    return; // the size has not arrived yet
  const bool good = (words <= RPC_FAST_CALLER_WORDS ||
                     (is_long && uint32_t(size) <= RPC_LONG_BYTES)) &&
                    !(tag & RPC_FAST_SHORT);
  if (good && !(is_long ? take_stream(slot, tag, uint32_t(size))
                        : take_words(slot, tag)))
    return; // the other cells have not arrived yet
  mine.is_long = good && is_long;
  mine.header.lane_mask = good; // PortTable::open() refuses a mask of 0
  mine.header.opcode = uint32_t(first);
  mine.tag.store(tag, std::memory_order_relaxed);
  // Acquire: see what the device wrote to its memory before the request.
  std::atomic_thread_fence(std::memory_order_acquire);
  mine.inbox.store(!mine.inbox.load(std::memory_order_relaxed),
                   std::memory_order_relaxed);
}

void Mailbox::answer(uint32_t slot) {
  rpc_fast_slot &line = cells[slot];
  const rpc_packet &packet = fast_slots[slot].packets[0];
  uint32_t tag = fast_slots[slot].tag.load(std::memory_order_relaxed);
  auto put = [&](uint32_t cell, uint32_t mark, uint64_t data) {
    std::atomic_ref(line.answer[cell])
        .store(uint64_t(mark) << 32 | uint32_t(data),
               std::memory_order_relaxed);
  };
  // Release: the device sees earlier writes to its memory before the answer.
  std::atomic_thread_fence(std::memory_order_release);
  uint64_t word = packet.words[0], error = packet.words[RPC_ERRNO_WORD];
  put(RPC_FAST_WORD2_CELL, tag, packet.words[2]);
  put(RPC_FAST_WORD2_CELL + 1, tag, packet.words[2] >> 32);
  put(RPC_FAST_WORD1_CELL, tag, packet.words[1]);
  put(RPC_FAST_WORD1_CELL + 1, tag, packet.words[1] >> 32);
  put(RPC_FAST_ERRNO_CELL, tag, error);
  put(RPC_FAST_ERRNO_CELL + 1, tag, 0);
  put(1, tag, word >> 32);
  // The client waits for this cell; x86 makes stores visible in order.
  bool is_short = !(word >> 32) && !uint32_t(error);
  put(0, tag | (is_short ? RPC_FAST_SHORT : 0), word);
}
