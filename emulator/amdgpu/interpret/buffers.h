//===-- emulator/amdgpu/interpret/buffers.h - Loads and stores by buffer --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handlers of accesses through a buffer resource (access/buffer.h). Those of
// the stack go on in its private segments' handlers. Of the others, lanes that
// are wholly in range, in a buffer that is not swizzled, access global memory
// as any lanes do; else each word of each lane is looked at by itself. Included
// once per unit inside the level's namespace, after atomics.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

/// True if the instruction's resource is the stack's.
INLINE bool is_stack_buffer(State &s, const Inst *i) {
  return scalar64(s, i, i->sdst) == access::STACK_BUFFER;
}

/// The operands of an access by a buffer other than the stack's.
struct BufferOperands {
  access::Buffer buffer;
  const u32 *index, *offset; // rows; null: 0
  u64 more;                  // the instruction's own offset

  INLINE BufferOperands of(State &s, const Inst *i) {
    u32 resource[4];
    __builtin_memcpy(resource, row(s, i->sdst), sizeof resource);
    const bool has_index = i->mods & BUFFER_IDXEN;
    const u32 *first = row(s, i->src[0]);
    return {access::Buffer::of(resource, scalar32(s, i, i->src[1]), i->mods),
            has_index ? first : nullptr,
            !(i->mods & BUFFER_OFFEN) ? nullptr
            : has_index               ? first + LANES
                                      : first,
            i->imm};
  }
  INLINE_MEMBER access::Buffer::Element element(unsigned lane) const {
    return {u64(index ? index[lane] : 0) + (buffer.adds_lane ? lane : 0),
            more + (offset ? offset[lane] : 0)};
  }
};

/// The addresses of all lanes. False if the buffer is swizzled, or an active
/// lane's access is not wholly in range.
[[gnu::noinline]] static bool buffer_addresses(State &s,
                                               const BufferOperands &operands,
                                               u32 bytes, Addresses &to) {
  const access::Buffer b = operands.buffer;
  if (b.element)
    return false;
  static constexpr u32 NONE_OF_THEM[LANES] = {};
  const u32 *index = operands.index ? operands.index : NONE_OF_THEM,
            *offset = operands.offset ? operands.offset : NONE_OF_THEM,
            *on = exec_rows(s);
  const u64 used = operands.more + b.checked + bytes,
            base = b.base + operands.more;
  const u32 lane_step = b.adds_lane;
  u32 outside = 0;
  LANE_LOOP
  for (unsigned l = 0; l < LANES; ++l) {
    const u64 record = u64(index[l]) + l * lane_step;
    to.a[l] = base + offset[l] + record * b.stride;
    outside |=
        on[l] & u32((offset[l] + used > b.offsets) | (record >= b.records));
  }
  return !outside;
}

/// Moves the data of all active lanes word by word: words out of range are read
/// as zero and not written. False after a fault was raised.
template <typename A, bool Write>
[[gnu::noinline]] static bool move_words(State &s, const Inst *i,
                                         const BufferOperands &operands) {
  constexpr u32 SIZE = A::sub_word ? A::bytes : 4;
  using Word = std::conditional_t<A::sub_word, A, LaneData<4>>;
  const access::Buffer &b = operands.buffer;
  u64 at[A::words][LANES]; // a load may overwrite the address rows
  u64 held[A::words] = {};
  EACH_LANE(l, s.exec()) {
    auto element = operands.element(l);
    for (unsigned k = 0; k < A::words; ++k, element.offset += SIZE) {
      at[k][l] = b.address(element);
      held[k] |= u64(b.holds(element, SIZE)) << l;
    }
  }
  u32 *d = row(s, Write ? i->src[2] : i->dst);
  EACH_LANE(l, s.exec())
  for (unsigned k = 0; k < A::words; ++k) {
    u32 *to = d + k * LANES + l;
    if (held[k] >> l & 1) {
      if (!move_lane<Space::global, Word, Write>(s, i, l, at[k][l], to))
        return false;
    } else if constexpr (!Write)
      *to = Word::sub_word ? Word::extend(u32(0), *to) : 0;
  }
  return true;
}

/// A load or a store (Write).
template <typename A, bool Write> struct BufferTransfer {
  static void many(State &s, const Inst *i) {
    if (is_stack_buffer(s, i)) [[clang::musttail]]
      return Transfer<Space::buffer, A, Write>::many(s, i);
    s.regions->refresh();
    const BufferOperands operands = BufferOperands::of(s, i);
    Addresses a;
    u32 *d = row(s, Write ? i->src[2] : i->dst);
    if (!buffer_addresses(s, operands, A::bytes, a)) {
      if (!move_words<A, Write>(s, i, operands))
        return;
    } else if (in_span(s, a, A::bytes))
      move_lanes<A, Write>(s, a, d);
    else if (!Transfer<Space::global, A, Write>::by_spread(s, i, a, d))
      return;
    NEXT(s, i);
  }
  static void one(State &s, const Inst *i) {
    if (is_stack_buffer(s, i)) [[clang::musttail]]
      return Transfer<Space::buffer, A, Write>::one(s, i);
    s.regions->refresh();
    const BufferOperands operands = BufferOperands::of(s, i);
    const unsigned lane = s.only_lane();
    const auto element = operands.element(lane);
    if (operands.buffer.element || !operands.buffer.holds(element, A::bytes)) {
      if (!move_words<A, Write>(s, i, operands))
        return;
    } else if (!move_lane<Space::global, A, Write>(
                   s, i, lane, operands.buffer.address(element),
                   row(s, Write ? i->src[2] : i->dst) + lane))
      return;
    NEXT(s, i);
  }
};

/// An atomic: wholly in range, or not made; then the old value is zero.
template <typename Op> struct BufferAtomic {
  static void many(State &s, const Inst *i) {
    if (is_stack_buffer(s, i)) [[clang::musttail]]
      return Atomic<Space::buffer, Op>::many(s, i);
    s.regions->refresh();
    const BufferOperands operands = BufferOperands::of(s, i);
    Addresses a; // a result may overwrite the address rows
    u64 held = 0;
    EACH_LANE(l, s.exec()) {
      const auto element = operands.element(l);
      a.a[l] = operands.buffer.address(element);
      held |= u64(operands.buffer.holds(element, Op::bytes)) << l;
    }
    EACH_LANE(l, s.exec()) {
      if (held >> l & 1) {
        if (!Atomic<Space::global, Op>::lane(s, i, l, a.a[l])) {
          add_faulting_lanes(s, a.a, held);
          return;
        }
      } else if (i->dst)
        for (unsigned k = 0; k < Op::bytes / 4; ++k)
          row(s, i->dst)[k * LANES + l] = 0;
    }
    NEXT(s, i);
  }
  static void one(State &s, const Inst *i) {
    [[clang::musttail]] return many(s, i);
  }
};

/// The handlers' classes of a space.
template <Space S, typename A, bool Write>
using TransferIn =
    std::conditional_t<S == Space::buffer, BufferTransfer<A, Write>,
                       Transfer<S, A, Write>>;
template <Space S, typename Op>
using AtomicIn =
    std::conditional_t<S == Space::buffer, BufferAtomic<Op>, Atomic<S, Op>>;

/// For statistics: the addresses of all active lanes in global memory. What
/// touches none, the stack's buffer too, gets an address above all memory.
static void counted_buffer_addresses(State &s, const Inst *i, Addresses &to) {
  const u32 bytes = operation(*i).memory.bytes;
  if (is_stack_buffer(s, i)) {
    std::fill_n(to.a, LANES, PRIVATE_APERTURE);
    return;
  }
  const BufferOperands operands = BufferOperands::of(s, i);
  EACH_LANE(l, s.exec()) {
    const auto element = operands.element(l);
    to.a[l] = operands.buffer.holds(element, bytes)
                  ? operands.buffer.address(element)
                  : PRIVATE_APERTURE;
  }
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
