//===-- rpc/server/mailbox.cpp - Which ports wait for the server
//-----------===//
// 64 mailbox words are compared at a time, with the widest vectors the machine
// has. The words change under our eyes, so these functions read what thread
// sanitizer would call a race; their answer is only a hint (mailbox.h).
//===----------------------------------------------------------------------===//
#include "rpc/server/mailbox.h"
#include <algorithm>
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
    : port_count(layout.ports), stride(layout.lanes) {
  char *base = static_cast<char *>(buffer);
  to_device = reinterpret_cast<uint32_t *>(base + layout.inbox_offset());
  from_device = reinterpret_cast<uint32_t *>(base + layout.outbox_offset());
  headers = reinterpret_cast<rpc_header *>(base + layout.headers_offset());
  packets = reinterpret_cast<rpc_packet *>(base + layout.packets_offset());
  own = std::make_unique<uint32_t[]>(groups() * 64);
#if defined(__x86_64__)
  differ = __builtin_cpu_supports("avx512f") ? differ_avx512
           : __builtin_cpu_supports("avx2")  ? differ_avx2
                                             : differ_sse2;
#else
  differ = differ_plain;
#endif
}

uint64_t Mailbox::pending(uint32_t group) const {
  uint32_t first = group * 64;
  // Nothing read here before may stand in for the memory now.
  asm volatile("" ::: "memory");
  if (port_count - first >= 64)
    return differ(from_device + first, own.get() + first);
  return differ_words(from_device + first, own.get() + first,
                      port_count - first); // never beyond the array
}
