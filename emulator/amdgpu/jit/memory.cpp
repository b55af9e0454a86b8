//===-- emulator/amdgpu/jit/memory.cpp - Loads, stores, atomics -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inst's fields are those of access/lane_address.h and
// interpret/memory_access.h.
#include "emulator/amdgpu/jit/memory.h"

#include "emulator/amdgpu/access/atomics.h"
#include "emulator/amdgpu/access/buffer.h"
#include "emulator/amdgpu/access/lane_address.h"
#include "emulator/amdgpu/access/lane_data.h"
#include "emulator/amdgpu/decode/whole_registers.h"
#include "emulator/amdgpu/jit/inline_cache.h"
#include "emulator/amdgpu/jit/ir_word.h"

#include <algorithm>
#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

void Memory::load_segments(Value *stride) {
  word_stride = b.ir.CreateZExt(stride, b.i64);
  auto size = [&](size_t offset, const char *name) {
    return b.ir.CreateZExt(b.state_field(offset, b.i32, name), b.i64);
  };
  scratch = b.ir.CreateConstGEP1_64(
      b.i8, b.state_field(offsetof(State, scratch), b.ptr, "scratch"),
      b.request.lane * 4);
  scratch_size = size(offsetof(State, private_size), "private_size");
  Value *last = b.state_field(offsetof(State, last_lane), b.i32, "last_lane");
  wave_shift = b.ir.CreateAdd(b.ir.CreateLShr(last, 5), b.constant32(5));
  lds = b.state_field(offsetof(State, lds), b.ptr, "lds");
  lds_size = size(offsetof(State, lds_size), "lds_size");
}

// Addresses.

namespace {

/// The operands of the lane's address as IR (access/lane_address.h).
struct IrOperands {
  Builder &b;
  RegisterFile &registers;
  const Inst *i;
  Value *shift; // log2 of the lanes of a wave

  bool has(unsigned k) const { return i->src[k]; }
  IrWord offset_word() const { return word(b.constant32(u32(i->imm))); }
  IrLong offset_long() const { return {&b.ir, b.constant64(i->imm)}; }
  IrWord lane_word(unsigned) const {
    return word(registers.read32(i, i->src[0]));
  }
  IrLong lane_long() const { return scalar_long(0); }
  IrWord scalar_word(unsigned k) const {
    return word(registers.read32(i, i->src[k]));
  }
  IrLong scalar_long(unsigned k) const {
    return {&b.ir, registers.read64(i, i->src[k])};
  }
  IrLong extended(IrWord word) const {
    return {&b.ir, b.ir.CreateZExt(word.value, b.i64)};
  }
  // Of all buffers, only the stack's is compiled, without an index.
  bool has_index() const { return false; }
  bool has_offset() const { return i->src[0]; }
  IrWord wave_shift() const { return word(shift); }

private:
  IrWord word(Value *value) const { return {&b.ir, value}; }
};

} // namespace

Value *Memory::address_of(const Inst *i) {
  const IrOperands operands{b, registers, i, wave_shift};
  const Space space = operation(*i).memory.space;
  if (space == Space::buffer)
    return operands.extended(access::stack_buffer_offset(operands)).value;
  return access::lane_address_in(space, operands,
                                 [](IrLong address) { return address.value; });
}

/// A load or store by way of a buffer is compiled if the buffer may be that of
/// the stack.
static bool may_be_stack(const Inst *i) {
  const MemoryAccess &memory = operation(*i).memory;
  return (memory.access == Access::load || memory.access == Access::store) &&
         !(i->mods & BUFFER_IDXEN);
}
Value *Memory::is_stack_buffer(const Inst *i) {
  return b.ir.CreateICmpEQ(registers.read64(i, i->sdst),
                           b.constant64(access::STACK_BUFFER));
}

/// The host's pointer to global memory, whose addresses are the host's, by an
/// inline cache; leaves when there is no such memory. A flat address may be one
/// of the lane's stack or of LDS too: for these the pointer is computed.
Value *Memory::global_pointer(const Inst *i, Value *address, unsigned bytes,
                              bool write) {
  // Regions begin with different caches: what they access differs.
  u32 index = inline_cache_class(bytes, write) * State::GLOBAL_CACHES +
              (caches++ + b.request.head->pc / 4 * 31) % State::GLOBAL_CACHES;
  size_t cache =
      offsetof(State, global_caches) + index * sizeof(State::GlobalCache);
  Block *miss = b.block("miss"), *hit = b.block("hit");
  Value *begin = b.state_field(cache + offsetof(State::GlobalCache, begin),
                               b.i64, "begin");
  Value *length = b.state_field(cache + offsetof(State::GlobalCache, length),
                                b.i64, "length");
  Block *before = b.ir.GetInsertBlock();
  b.ir.CreateCondBr(b.ir.CreateICmpULT(b.ir.CreateSub(address, begin), length),
                    hit, miss, b.likely());
  b.ir.SetInsertPoint(hit);
  PHINode *pointer = nullptr;
  if (operation(*i).memory.space == Space::flat) {
    pointer = b.ir.CreatePHI(b.i64, 4);
    pointer->addIncoming(address, before);
    b.ir.SetInsertPoint(miss);
    in_segments(address, bytes, pointer);
  } else
    b.ir.SetInsertPoint(miss);
  auto *type = FunctionType::get(b.i1, {b.ptr, b.i32, b.i64, b.i32}, false);
  CallInst *found = b.ir.CreateCall(
      type, b.host_pointer(HostPointer::Kind::fill_global_cache),
      {b.state, b.constant32(index), address, b.constant32(bytes * 2 + write)});
  found->setCallingConv(CallingConv::PreserveMost);
  found->addRetAttr(Attribute::ZExt);
  found->addParamAttr(
      0, Attribute::getWithCaptureInfo(b.context, CaptureInfo::none()));
  if (pointer)
    pointer->addIncoming(address, b.ir.GetInsertBlock());
  b.ir.CreateCondBr(found, hit, exits.exit(i, SideExits::To::interpreter),
                    b.likely());
  b.ir.SetInsertPoint(hit);
  return b.ir.CreateIntToPtr(pointer ? pointer : address, b.ptr);
}

/// Goes to where `pointer` is if the address is one of the stack or of LDS.
void Memory::in_segments(Value *address, unsigned bytes, PHINode *pointer) {
  auto segment = [&](u64 aperture, Value *size, Value *at) {
    Value *offset = b.ir.CreateSub(address, b.constant64(aperture));
    Value *good = b.ir.CreateAnd(
        b.ir.CreateICmpULT(offset, b.constant64(APERTURE_SIZE)),
        b.ir.CreateICmpULE(b.ir.CreateAdd(offset, b.constant64(bytes)), size));
    Value *there = b.ir.CreateAdd(b.ir.CreatePtrToInt(at, b.i64), offset);
    pointer->addIncoming(there, b.ir.GetInsertBlock());
    Block *other = b.block("other");
    b.ir.CreateCondBr(good, pointer->getParent(), other);
    b.ir.SetInsertPoint(other);
  };
  if (b.request.linear_scratch && b.request.lane == 0)
    segment(PRIVATE_APERTURE, scratch_size, scratch);
  segment(SHARED_APERTURE, lds_size, lds);
}

/// Where the access at address_of() + `offset` lies; leaves when it may be a
/// fault.
Memory::Place Memory::place(const Inst *i, bool write, unsigned offset) {
  Space space = operation(*i).memory.space;
  unsigned bytes = operation(*i).memory.bytes;
  Value *address = address_of(i);
  if (offset)
    address = b.ir.CreateAnd(b.ir.CreateAdd(address, b.constant64(offset)),
                             0xffffffffu);
  if (space == Space::global || space == Space::flat)
    return {global_pointer(i, address, bytes, write)};
  bool linear = space == Space::lds || b.request.linear_scratch;
  Value *size = space == Space::lds ? lds_size : scratch_size;
  Value *good =
      b.ir.CreateICmpULE(b.ir.CreateAdd(address, b.constant64(bytes)), size);
  if (space == Space::buffer)
    good = b.ir.CreateAnd(good, is_stack_buffer(i));
  if (!linear) { // inside one dword, or whole dwords
    Value *low = b.ir.CreateAnd(address, 3);
    good = b.ir.CreateAnd(
        good, bytes < 4 ? b.ir.CreateICmpULE(low, b.constant64(4 - bytes))
                        : b.ir.CreateICmpEQ(low, b.constant64(0)));
  }
  Block *inside = b.block("inside");
  b.ir.CreateCondBr(good, inside, exits.exit(i, SideExits::To::interpreter),
                    b.likely());
  b.ir.SetInsertPoint(inside);
  if (linear)
    return {b.ir.CreateGEP(b.i8, space == Space::lds ? lds : scratch, address)};
  Value *byte =
      b.ir.CreateAdd(b.ir.CreateMul(b.ir.CreateLShr(address, 2), word_stride),
                     b.ir.CreateAnd(address, 3));
  return {b.ir.CreateGEP(b.i8, scratch, byte), word_stride};
}

// Loads and stores.

Value *Memory::dword(const Place &place, unsigned k) {
  if (!k)
    return place.base;
  return place.word_stride ? b.ir.CreateGEP(b.i8, place.base,
                                            b.ir.CreateMul(place.word_stride,
                                                           b.constant64(k)))
                           : b.ir.CreateConstGEP1_64(b.i8, place.base, 4 * k);
}

void Memory::load(const Place &place, const Operation &operation, Operand dst) {
  unsigned bytes = operation.memory.bytes;
  if (bytes < 4) {
    llvm::Type *type = bytes == 1 ? b.i8 : b.ir.getInt16Ty();
    Value *raw =
        b.ir.CreateAlignedLoad(type, place.base, Align(1), /*isVolatile=*/true);
    // The old register is read only where a half of it stays.
    IrWord old{&b.ir, operation.half == Half::none
                          ? b.constant32(0)
                          : registers.read32(nullptr, dst)};
    IrWord word{&b.ir, b.ir.CreateZExt(raw, b.i32)};
    registers.write32(dst, 0,
                      access::format_of(operation).loaded(word, old).value);
    return;
  }
  SmallVector<Value *, 4> words; // of 64 bits, or of 32
  for (unsigned k = 0; k < bytes / 4; ++k) {
    if (!place.word_stride &&
        k + 2 <= bytes / 4) { // 64-bit loads are one access
      Value *both =
          b.ir.CreateAlignedLoad(b.i64, dword(place, k), Align(1), true);
      words.push_back(both);
      ++k;
    } else
      words.push_back(
          b.ir.CreateAlignedLoad(b.i32, dword(place, k), Align(1), true));
  }
  unsigned at = 0;
  for (Value *word : words) {
    const bool both = word->getType() == b.i64;
    if (both)
      registers.write64(dst, at, word);
    else
      registers.write32(dst, at, word);
    at += 1 + both;
  }
}

void Memory::store(const Inst *i, const Place &place,
                   const Operation &operation, Operand data) {
  unsigned bytes = operation.memory.bytes;
  if (bytes < 4) {
    const IrWord word = access::format_of(operation).stored(
        IrWord{&b.ir, registers.read32(i, data)});
    b.ir.CreateAlignedStore(
        b.ir.CreateTrunc(word.value, bytes == 1 ? b.i8 : b.ir.getInt16Ty()),
        place.base, Align(1), true);
    return;
  }
  for (unsigned k = 0; k < bytes / 4; ++k) {
    Operand from = data + Operand(k * LANES * 4);
    bool both = !place.word_stride && k + 2 <= bytes / 4;
    b.ir.CreateAlignedStore(both ? registers.read64(i, from)
                                 : registers.read32(i, from),
                            dword(place, k), Align(1), true);
    k += both;
  }
}

Flow Memory::access(const Inst *i) {
  const Operation &op = operation(*i);
  Access access = op.memory.access;
  if (op.memory.space == Space::buffer && !may_be_stack(i))
    return Flow::interpret;
  if (access == Access::atomic || access == Access::none)
    return atomic(i);
  if (!registers.lane_on())
    return Flow::next;
  bool write = !is_load(access),
       two = access == Access::load_two || access == Access::store_two;
  Place first = place(i, write, 0);
  Place second = two ? place(i, write, u32(i->scond) - u32(i->imm)) : first;
  if (write) {
    store(i, first, op, i->src[2]);
    if (two)
      store(i, second, op, i->src[1]);
  } else {
    load(first, op, i->dst);
    if (two)
      load(second, op, i->dst + Operand(op.memory.bytes / 4 * LANES * 4));
  }
  return Flow::next;
}

Flow Memory::scalar_load(const Inst *i) {
  const Operation &op = operation(*i);
  if (op.memory.space != Space::scalar)
    return Flow::interpret;
  Value *address = access::scalar_address<Space::scalar>(
                       IrOperands{b, registers, i, wave_shift}, op.memory.bytes)
                       .value;
  load({global_pointer(i, address, op.memory.bytes, false)}, op, i->dst);
  return Flow::next;
}

/// Copies the other lanes of a register. In vectors: instruction selection
/// would call memcpy.
void Memory::copy_other_lanes(Value *to, Value *from) {
  constexpr unsigned BYTES = 32;
  auto *vector = FixedVectorType::get(b.i32, BYTES / 4);
  SmallVector<std::pair<unsigned, Value *>, 8> parts;
  for (unsigned at = 0; at < OTHER_LANES; at += BYTES) {
    const unsigned begin = std::min(at, OTHER_LANES - BYTES); // may overlap
    parts.push_back(
        {begin, b.ir.CreateAlignedLoad(
                    vector, b.ir.CreateConstGEP1_64(b.i8, from, begin),
                    Align(4), true)});
  }
  for (auto [begin, part] : parts)
    b.ir.CreateAlignedStore(part, b.ir.CreateConstGEP1_64(b.i8, to, begin),
                            Align(4), true);
}

void Memory::whole_registers(const Inst *first, unsigned length) {
  SmallVector<std::pair<const Inst *, Value *>, 8> moves;
  for (const Inst *i = first + 1; i != first + length - 1; ++i) {
    if (!moves_whole_register(*i))
      continue; // waits
    Value *address = address_of(i);
    Value *good = b.ir.CreateAnd(
        b.ir.CreateICmpULE(b.ir.CreateAdd(address, b.constant64(4)),
                           scratch_size),
        b.ir.CreateICmpEQ(b.ir.CreateAnd(address, 3), b.constant64(0)));
    if (operation(*i).memory.space == Space::buffer)
      good = b.ir.CreateAnd(good, is_stack_buffer(i));
    Block *inside = b.block("inside");
    b.ir.CreateCondBr(good, inside,
                      exits.exit(first, SideExits::To::interpreter),
                      b.likely());
    b.ir.SetInsertPoint(inside);
    moves.push_back({i, address});
  }
  const unsigned count = registers_of(operation(*first).result);
  registers.write_scalar(first->dst,
                         registers.read(first, scalar_operand(EXEC), count),
                         4 * count);
  registers.write_scc(b.ir.getTrue());
  for (auto [i, address] : moves) {
    const bool write = !is_load(operation(*i).memory.access);
    const Operand row = write ? i->src[2] : i->dst;
    Value *mine = b.ir.CreateGEP(b.i8, scratch, address);
    Value *others = b.ir.CreateGEP(
        b.i8, scratch,
        b.ir.CreateAdd(scratch_size,
                       b.ir.CreateMul(b.ir.CreateLShr(address, 2),
                                      b.constant64(OTHER_LANES))));
    Value *held = b.state_pointer(size_t(row & ~ROW) + 4);
    if (write) {
      b.ir.CreateAlignedStore(registers.read32(i, row), mine, Align(4), true);
      copy_other_lanes(others, held);
    } else {
      registers.write32(row, 0,
                        b.ir.CreateAlignedLoad(b.i32, mine, Align(4), true));
      copy_other_lanes(held, others);
    }
  }
}

// Atomics.

/// LLVM's name of the operation, if it has one.
static std::optional<AtomicRMWInst::BinOp>
rmw_operation(const MemoryAccess &access) {
  AtomicRMWInst::BinOp found = AtomicRMWInst::BAD_BINOP;
  switch (access.atomic) {
#define ATOMIC_OPERATION(name, unsigned_ir, signed_ir, undefined)              \
  case AtomicOperation::name:                                                  \
    found = access.is_signed ? AtomicRMWInst::signed_ir                        \
                             : AtomicRMWInst::unsigned_ir;                     \
    break;
#include "emulator/amdgpu/ops/atomic.def"
  }
  return found == AtomicRMWInst::BAD_BINOP ? std::nullopt
                                           : std::optional(found);
}

Flow Memory::atomic(const Inst *i) {
  const MemoryAccess &access = operation(*i).memory;
  auto rmw = rmw_operation(access);
  bool exchange = access.atomic == AtomicOperation::compare_swap;
  if (access.space == Space::lds || (!rmw && !exchange))
    return Flow::interpret_enter;
  if (!registers.lane_on())
    return Flow::next;
  unsigned bytes = access.bytes, words = bytes / 4;
  Value *address = address_of(i);
  Block *aligned = b.block("aligned");
  b.ir.CreateCondBr(
      b.ir.CreateICmpEQ(b.ir.CreateAnd(address, bytes - 1), b.constant64(0)),
      aligned, exits.exit(i, SideExits::To::interpreter));
  b.ir.SetInsertPoint(aligned);
  Value *at = global_pointer(i, address, bytes, true);
  auto data = [&](access::AtomicData from) {
    const Operand o = i->src[from.source] + Operand(from.row * LANES * 4);
    return words == 2 ? registers.read64(i, o) : registers.read32(i, o);
  };
  constexpr auto order = AtomicOrdering::SequentiallyConsistent;
  Value *old;
  if (exchange) {
    const auto [fresh, expected] = access::compare_operands(false, words);
    auto *both = b.ir.CreateAtomicCmpXchg(at, data(expected), data(fresh),
                                          Align(bytes), order, order);
    both->setVolatile(true);
    old = b.ir.CreateExtractValue(both, 0);
  } else {
    auto *update =
        b.ir.CreateAtomicRMW(*rmw, at, data({2}), Align(bytes), order);
    update->setVolatile(true);
    old = update;
  }
  if (i->dst)
    registers.write_vector(i->dst, b.ir.CreateZExt(old, b.i64), words);
  return Flow::next;
}

} // namespace gpuexec::emulator::amdgpu::jit
