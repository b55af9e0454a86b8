//===-- emulator/amdgpu/jit/register_file.cpp - Virtual registers ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/register_file.h"
#include "emulator/amdgpu/jit/variable_types.h"

#include <cstddef>
#include <cstring>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

static bool is_exec(u32 offset) {
  return offset == u32(scalar_operand(EXEC)) ||
         offset == u32(scalar_operand(EXEC + 1));
}

RegisterFile::RegisterFile(Builder &builder)
    : b(builder), scc_variable(b.first.CreateAlloca(b.i1, nullptr, "scc")) {}

void RegisterFile::load_scc() {
  b.ir.CreateStore(
      b.ir.CreateICmpNE(b.state_field(offsetof(State, scc), b.i8, "scc"),
                        b.ir.getInt8(0)),
      scc_variable);
}

void RegisterFile::begin(Block *block, unsigned segment, bool lane_on) {
  b.ir.SetInsertPoint(block);
  current = segment;
  on = lane_on;
  dirty.clear();
  scc_dirty = false;
  ++changes;
  constants.clear();
  constant_scc.reset();
}

void RegisterFile::continue_in_new_segment() {
  unsigned rest = new_segment();
  edge_to(rest);
  current = rest;
}

// Virtual registers.

unsigned RegisterFile::number_of(u32 offset) {
  auto [it, is_new] = numbers.insert({offset, unsigned(registers.size())});
  if (is_new) {
    // In front of the entry's other variables: LLVM makes phi nodes in this
    // order, and the spilling that follows costs up to a tenth otherwise.
    Block *entry = b.first.GetInsertBlock();
    IRBuilder<> front(entry, entry->begin());
    AllocaInst *&pair = pairs[pair_of(offset)].variable;
    if (!pair)
      pair = front.CreateAlloca(b.i64);
    Value *variable = pair;
    if (is_second(offset)) {
      front.SetInsertPoint(pair->getNextNode());
      variable = front.CreateConstGEP1_64(b.i8, pair, 4);
    }
    registers.push_back({offset, variable});
  }
  return it->second;
}
/// Rows lie behind the scalars in State.
static_assert(TEMP_ROWS % 2 == 0, "v0 begins a pair");
static bool is_row(u32 offset) { return offset >= offsetof(State, temp); }
u32 RegisterFile::pair_of(u32 offset) {
  if (is_row(offset))
    return is_second(offset) ? offset - LANES * 4 : offset;
  return offset & ~u32(7);
}
bool RegisterFile::is_second(u32 offset) {
  return is_row(offset)
             ? (offset - u32(offsetof(State, temp))) / (LANES * 4) & 1
             : offset & 4;
}
bool RegisterFile::are_pair(u32 low, u32 high) {
  return !is_second(low) && is_second(high) && pair_of(high) == low;
}
Value *RegisterFile::get(u32 offset) {
  if (is_exec(offset)) {
    u64 exec = on ? b.lane_mask() : 0;
    return b.constant32(
        u32(offset == u32(scalar_operand(EXEC)) ? exec : exec >> 32));
  }
  unsigned k = number_of(offset);
  ++pairs[pair_of(offset)].narrow[is_second(offset)];
  note_read(k);
  return b.ir.CreateLoad(b.i32, registers[k].variable);
}
void RegisterFile::set(u32 offset, Value *value) {
  b.ir.CreateStore(value, registers[number_of(offset)].variable);
  ++pairs[pair_of(offset)].narrow[is_second(offset)];
  note_write(offset);
}
void RegisterFile::note_read(unsigned k) {
  liveness.read(current, k);
  needed.read(current, k);
}
void RegisterFile::note_write(u32 offset) {
  wrote_exec |= is_exec(offset);
  unsigned k = number_of(offset);
  liveness.write(current, k);
  needed.write(current, k);
  dirty.insert(k);
  ++changes;
  constants.erase(offset);
}
/// The register and its second half.
Value *RegisterFile::get_pair(u32 low) {
  const u32 high = low + (is_row(low) ? LANES * 4 : 4);
  const unsigned k = number_of(low);
  note_read(k);
  note_read(number_of(high));
  ++pairs[low].wide;
  return b.ir.CreateLoad(b.i64, registers[k].variable);
}
void RegisterFile::set_pair(u32 low, Value *value) {
  const u32 high = low + (is_row(low) ? LANES * 4 : 4);
  b.ir.CreateStore(value, registers[number_of(low)].variable);
  ++pairs[low].wide;
  note_write(low);
  note_write(high);
}

static bool is_constant(Operand o) {
  return o == slot_operand(SLOT_ZERO) ||
         (!(o & ROW) && o >= Operand(offsetof(State, constants)) &&
          o < Operand(offsetof(State, constants) + sizeof(State::constants)));
}

void RegisterFile::note_type(Operand o, amdgpu::Type type) {
  if (o == LITERAL || is_constant(o) || !is_float(type) ||
      type == amdgpu::Type::f16)
    return;
  const u32 offset = offset_of(o);
  auto pair = pairs.find(pair_of(offset));
  if (pair == pairs.end())
    return;
  if (type == amdgpu::Type::f64)
    pair->second.doubles += !is_second(offset);
  else
    ++pair->second.floats[is_second(offset)];
}

void RegisterFile::choose_types() {
  LLVMContext &context = b.context;
  for (auto &[low, pair] : pairs) {
    const unsigned narrow = pair.narrow[0] + pair.narrow[1];
    if (pair.wide && pair.wide >= narrow) {
      widen(*pair.variable);
      if (2 * pair.doubles > pair.wide + narrow)
        make_float(*pair.variable, llvm::Type::getDoubleTy(context));
      continue;
    }
    if (pair.wide)
      continue;
    SmallVector<Value *, 2> halves{pair.variable, nullptr};
    for (User *user : pair.variable->users())
      if (auto *second = dyn_cast<GetElementPtrInst>(user))
        halves[1] = second;
    for (bool second : {false, true})
      if (halves[second] && 2 * pair.floats[second] > pair.narrow[second])
        make_float(*halves[second], llvm::Type::getFloatTy(context));
  }
}

Value *RegisterFile::scc() { return b.ir.CreateLoad(b.i1, scc_variable); }
void RegisterFile::write_scc(Value *bit) {
  b.ir.CreateStore(bit, scc_variable);
  constant_scc.reset();
  scc_dirty = true;
  ++changes;
}
u32 RegisterFile::offset_of(Operand operand) const {
  return operand & ROW ? u32(operand & ~ROW) + b.request.lane * 4
                       : u32(operand);
}

// Operands. Inline constants are registers of State that never change.

static u64 constant_at(const Request &request, Operand o) {
  if (o == slot_operand(SLOT_ZERO))
    return 0;
  u64 value;
  std::memcpy(&value,
              reinterpret_cast<const char *>(request.constants) +
                  (o - Operand(offsetof(State, constants))),
              sizeof(value));
  return value;
}

Value *RegisterFile::read32(const Inst *i, Operand o) {
  if (o == LITERAL)
    return b.constant32(u32(i->imm));
  if (is_constant(o))
    return b.constant32(u32(constant_at(b.request, o)));
  return get(offset_of(o));
}
Value *RegisterFile::read64(const Inst *i, Operand o) {
  if (o == LITERAL)
    return b.constant64(i->imm);
  if (is_constant(o))
    return b.constant64(constant_at(b.request, o));
  u32 low = offset_of(o), high = low + (o & ROW ? LANES * 4 : 4);
  if (are_pair(low, high) && !is_exec(low))
    return get_pair(low);
  return b.ir.CreateOr(b.ir.CreateZExt(get(low), b.i64),
                       b.ir.CreateShl(b.ir.CreateZExt(get(high), b.i64), 32));
}
Value *RegisterFile::read(const Inst *i, Operand o, unsigned count) {
  return count == 2 ? read64(i, o) : b.ir.CreateZExt(read32(i, o), b.i64);
}

void RegisterFile::write32(Operand o, unsigned more, Value *value) {
  set(offset_of(o) + more * (o & ROW ? LANES * 4 : 4), value);
}
void RegisterFile::write64(Operand o, unsigned more, Value *value) {
  const u32 step = o & ROW ? LANES * 4 : 4, low = offset_of(o) + more * step;
  if (are_pair(low, low + step))
    return set_pair(low, value);
  write32(o, more, b.ir.CreateTrunc(value, b.i32));
  write32(o, more + 1, b.ir.CreateTrunc(b.ir.CreateLShr(value, 32), b.i32));
}
void RegisterFile::write_scalar(Operand o, Value *value, unsigned bytes) {
  if (bytes == 8)
    write64(o, 0, value);
  else
    write32(o, 0, b.ir.CreateTrunc(value, b.i32));
}
void RegisterFile::write_vector(Operand o, Value *value, unsigned count) {
  if (!on)
    return;
  if (count == 2)
    write64(o, 0, value);
  else
    write32(o, 0, b.ir.CreateTrunc(value, b.i32));
}

Value *RegisterFile::lane_bit(const Inst *i, Operand o) {
  unsigned lane = b.request.lane;
  Value *half =
      o == LITERAL || is_constant(o)
          ? b.ir.CreateTrunc(b.ir.CreateLShr(read64(i, o), lane & 32), b.i32)
          : get(offset_of(o) + (lane >= 32 ? 4 : 0));
  return b.ir.CreateICmpNE(b.ir.CreateAnd(half, 1u << (lane & 31)),
                           b.constant32(0));
}
void RegisterFile::write_mask(Operand o, Value *bit) {
  write_scalar(o,
               on ? b.ir.CreateShl(b.ir.CreateZExt(bit, b.i64), b.request.lane)
                  : b.constant64(0),
               8);
}

Value *RegisterFile::element(Operand row, Value *lane) {
  const unsigned k = number_of(offset_of(row));
  needed.read(current, k);
  if (dirty.contains(k))
    flush();
  return b.ir.CreateGEP(b.i32, b.state_pointer(u32(row & ~ROW)), lane);
}
void RegisterFile::reload(Operand o) {
  u32 offset = offset_of(o);
  set(offset, b.ir.CreateLoad(b.i32, b.state_pointer(offset)));
}

// Known values.

std::optional<u32> RegisterFile::known(const Inst *i, Operand o,
                                       unsigned more) const {
  if (o == LITERAL)
    return u32(i->imm >> (32 * more));
  if (o & ROW)
    return std::nullopt;
  if (is_constant(o))
    return u32(constant_at(b.request, o) >> (32 * more));
  auto it = constants.find(u32(o) + 4 * more);
  return it == constants.end() ? std::nullopt : std::optional(it->second);
}
void RegisterFile::learn(Operand o, unsigned more, u32 value) {
  constants[offset_of(o) + 4 * more] = value;
}

// State.

void RegisterFile::note_saved() {
  for (unsigned k : dirty)
    liveness.read(current, k);
}
void RegisterFile::write_back(IRBuilder<> &there, const Dirty &some) {
  auto field = [&](size_t offset) {
    return there.CreateConstInBoundsGEP1_64(b.i8, b.state, offset);
  };
  for (unsigned k : some.registers) {
    liveness.read(current, k);
    there.CreateStore(there.CreateLoad(b.i32, registers[k].variable),
                      field(registers[k].offset));
  }
  if (some.scc)
    there.CreateStore(
        there.CreateZExt(there.CreateLoad(b.i1, scc_variable), b.i8),
        field(offsetof(State, scc)));
}
void RegisterFile::flush() {
  write_back(b.ir);
  set_unsaved({});
}
/// Whether `offset` lies in State::slots or State::temp.
static bool is_temporary(u32 offset) {
  return (offset >= offsetof(State, slots) &&
          offset < offsetof(State, slots) + sizeof(State::slots)) ||
         (offset >= offsetof(State, temp) &&
          offset < offsetof(State, temp) + sizeof(State::temp));
}
void RegisterFile::end_instruction() {
  if (dirty.remove_if(
          [&](unsigned k) { return is_temporary(registers[k].offset); }))
    ++changes;
}
RegisterFile::Unwritten RegisterFile::unwritten() const {
  Unwritten all;
  for (unsigned k : dirty)
    all.registers.insert(registers[k].offset);
  all.scc = scc_dirty;
  return all;
}
void RegisterFile::assume(const Unwritten &more) {
  for (u32 offset : more.registers)
    dirty.insert(number_of(offset));
  scc_dirty |= more.scc;
  ++changes;
}
void RegisterFile::forget(const std::set<u32> &dead) {
  if (dirty.remove_if(
          [&](unsigned k) { return dead.count(registers[k].offset) != 0; }))
    ++changes;
}
void RegisterFile::flush_except(const Unwritten &kept) {
  Dirty stay, rest;
  for (unsigned k : dirty)
    (kept.registers.count(registers[k].offset) ? stay : rest)
        .registers.insert(k);
  stay.scc = scc_dirty && kept.scc;
  rest.scc = scc_dirty && !kept.scc;
  set_unsaved(std::move(rest));
  write_back(b.ir);
  set_unsaved(std::move(stay));
}
void RegisterFile::set_unsaved(Dirty saved) {
  dirty = std::move(saved.registers);
  scc_dirty = saved.scc;
  ++changes;
}
void RegisterFile::remove_dead(Unwritten &some, unsigned segment) const {
  const BitVector &live = liveness.live_in(segment),
                  &used = needed.live_in(segment);
  for (unsigned k = 0; k < registers.size(); ++k) {
    if (!live[k] || !used[k])
      some.registers.erase(registers[k].offset);
    if (!used[k])
      some.dead.insert(registers[k].offset);
  }
}

void RegisterFile::load_live(unsigned segment) {
  for (unsigned k : liveness.live_in(segment).set_bits())
    b.ir.CreateStore(
        b.ir.CreateLoad(b.i32, b.state_pointer(registers[k].offset)),
        registers[k].variable);
}

} // namespace gpuexec::emulator::amdgpu::jit
