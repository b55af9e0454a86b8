//===-- emulator/amdgpu/jit/memory.cpp - Loads, stores, atomics -----------===//
// Inst's fields are those of memory_access.h.
#include "emulator/amdgpu/jit/hot_code.h"

#include "emulator/amdgpu/jit/sites.h"

#include "llvm/IR/MDBuilder.h"

#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

HotCode::Value *HotCode::address_of(const Inst *i, Space space) {
  if (space == Space::global || space == Space::flat) {
    Value *offset = constant64(i->imm);
    if (!i->src[1])
      return ir.CreateAdd(read64(i, i->src[0]), offset);
    Value *base = ir.CreateAdd(read64(i, i->src[1]), offset);
    return i->src[0]
               ? ir.CreateAdd(base, ir.CreateZExt(read32(i, i->src[0]), i64))
               : base;
  }
  Value *offset = constant32(u32(i->imm));
  if (i->src[0])
    offset = ir.CreateAdd(offset, read32(i, i->src[0]));
  if (space == Space::scratch && i->src[1])
    offset = ir.CreateAdd(offset, read32(i, i->src[1]));
  return ir.CreateZExt(offset, i64);
}

HotCode::Value *HotCode::global_place(const Inst *i, Value *address,
                                      unsigned bytes, bool write, bool flat) {
  u32 index = site_class(bytes, write) * State::SITES_PER_CLASS +
              sites++ % State::SITES_PER_CLASS;
  size_t site = offsetof(State, sites) + index * sizeof(State::Site);
  Block *slow = fresh("slow"), *good = fresh("good");
  Value *begin = state_field(site + offsetof(State::Site, begin), i64, "begin");
  Value *length =
      state_field(site + offsetof(State::Site, length), i64, "length");
  MDNode *likely = MDBuilder(context).createLikelyBranchWeights();
  ir.CreateCondBr(ir.CreateICmpULT(ir.CreateSub(address, begin), length), good,
                  slow, likely);
  ir.SetInsertPoint(slow);
  auto *type = FunctionType::get(i1, {ptr, i32, i64, i32, i32, i32}, false);
  Value *fill = ConstantExpr::getIntToPtr(
      ir.getInt64(reinterpret_cast<u64>(request.fill_site)), ptr);
  CallInst *found = ir.CreateCall(type, fill,
                                  {state, constant32(index), address,
                                   constant32(bytes * 2 + write),
                                   constant32(flat), constant32(request.lane)});
  found->addRetAttr(Attribute::ZExt);
  found->addParamAttr(
      0, Attribute::getWithCaptureInfo(context, CaptureInfo::none()));
  ir.CreateCondBr(found, good, leaving(i, Way::again), likely);
  ir.SetInsertPoint(good);
  Value *delta = state_field(site + offsetof(State::Site, delta), i64, "delta");
  return ir.CreateIntToPtr(ir.CreateAdd(address, delta), ptr);
}

/// Where the access of `bytes` at address_of() + `offset` lies; leaves when it
/// may be a fault.
HotCode::Place HotCode::place(const Inst *i, Space space, unsigned bytes,
                              bool write, unsigned offset) {
  Value *address = address_of(i, space);
  if (offset)
    address =
        ir.CreateAnd(ir.CreateAdd(address, constant64(offset)), 0xffffffffu);
  if (space == Space::global || space == Space::flat)
    return Place{global_place(i, address, bytes, write, space == Space::flat)};
  bool linear = space == Space::lds || request.linear_scratch;
  Value *size = space == Space::lds ? lds_size : scratch_size;
  Value *good =
      ir.CreateICmpULE(ir.CreateAdd(address, constant64(bytes)), size);
  if (!linear) { // inside one dword, or whole dwords
    Value *low = ir.CreateAnd(address, 3);
    good = ir.CreateAnd(good, bytes < 4
                                  ? ir.CreateICmpULE(low, constant64(4 - bytes))
                                  : ir.CreateICmpEQ(low, constant64(0)));
  }
  Block *inside = fresh("inside");
  ir.CreateCondBr(good, inside, leaving(i, Way::again),
                  MDBuilder(context).createLikelyBranchWeights());
  ir.SetInsertPoint(inside);
  if (linear)
    return Place{
        ir.CreateGEP(i8, space == Space::lds ? lds : scratch, address)};
  Value *byte =
      ir.CreateAdd(ir.CreateMul(ir.CreateLShr(address, 2), word_stride),
                   ir.CreateAnd(address, 3));
  return Place{ir.CreateGEP(i8, scratch, byte), word_stride};
}

static Value *dword(IRBuilder<> &ir, Value *base, Value *stride, unsigned k) {
  if (!k)
    return base;
  return stride ? ir.CreateGEP(ir.getInt8Ty(), base,
                               ir.CreateMul(stride, ir.getInt64(k)))
                : ir.CreateConstGEP1_64(ir.getInt8Ty(), base, 4 * k);
}

void HotCode::load(const Place &place, const Operation &operation,
                   Operand dst) {
  unsigned bytes = operation.memory.bytes;
  u32 to = offset_of(dst);
  if (bytes < 4) {
    llvm::Type *type = bytes == 1 ? i8 : ir.getInt16Ty();
    Value *raw =
        ir.CreateAlignedLoad(type, place.base, Align(1), /*isVolatile=*/true);
    Value *v = operation.memory.is_signed ? ir.CreateSExt(raw, i32)
                                          : ir.CreateZExt(raw, i32);
    if (operation.half == Half::low)
      v = ir.CreateOr(ir.CreateAnd(get(to), 0xffff0000u),
                      ir.CreateAnd(v, 0xffff));
    if (operation.half == Half::high)
      v = ir.CreateOr(ir.CreateAnd(get(to), 0xffff), ir.CreateShl(v, 16));
    set(to, v);
    return;
  }
  u32 stride = dst & ROW ? LANES * 4 : 4;
  SmallVector<Value *, 4> words;
  for (unsigned k = 0; k < bytes / 4; ++k) {
    if (!place.word_stride &&
        k + 2 <= bytes / 4) { // 64-bit loads are one access
      Value *both = ir.CreateAlignedLoad(i64, dword(ir, place.base, nullptr, k),
                                         Align(1), true);
      words.push_back(ir.CreateTrunc(both, i32));
      words.push_back(ir.CreateTrunc(ir.CreateLShr(both, 32), i32));
      ++k;
    } else
      words.push_back(ir.CreateAlignedLoad(
          i32, dword(ir, place.base, place.word_stride, k), Align(1), true));
  }
  for (unsigned k = 0; k < words.size(); ++k)
    set(to + k * stride, words[k]);
}

void HotCode::store(const Inst *i, const Place &place,
                    const Operation &operation, Operand data) {
  unsigned bytes = operation.memory.bytes;
  if (bytes < 4) {
    Value *v = read32(i, data);
    if (operation.half == Half::high)
      v = ir.CreateLShr(v, 16);
    ir.CreateAlignedStore(ir.CreateTrunc(v, bytes == 1 ? i8 : ir.getInt16Ty()),
                          place.base, Align(1), true);
    return;
  }
  for (unsigned k = 0; k < bytes / 4; ++k) {
    Operand from = data + Operand(k * LANES * 4);
    if (!place.word_stride && k + 2 <= bytes / 4) {
      ir.CreateAlignedStore(read64(i, from), dword(ir, place.base, nullptr, k),
                            Align(1), true);
      ++k;
    } else
      ir.CreateAlignedStore(read32(i, from),
                            dword(ir, place.base, place.word_stride, k),
                            Align(1), true);
  }
}

HotCode::Flow HotCode::memory(const Inst *i) {
  const Operation &op = operation(*i);
  const MemoryAccess &access = op.memory;
  if (access.space == Space::buffer) {
    leave(i);
    return Flow::ended;
  }
  if (access.access == Access::atomic || access.access == Access::none)
    return atomic(i);
  if (!on)
    return Flow::next;
  Operand second_row = Operand((access.bytes + 3u) / 4 * LANES * 4);
  u32 between = u32(i->scond) - u32(i->imm);
  bool write = !is_load(access.access);
  Place first = place(i, access.space, access.bytes, write, 0);
  switch (access.access) {
  case Access::load:
    load(first, op, i->dst);
    break;
  case Access::store:
    store(i, first, op, i->src[2]);
    break;
  case Access::load_two: {
    Place second = place(i, access.space, access.bytes, write, between);
    load(first, op, i->dst);
    load(second, op, i->dst + second_row);
    break;
  }
  default: {
    Place second = place(i, access.space, access.bytes, write, between);
    store(i, first, op, i->src[2]);
    store(i, second, op, i->src[1]);
  }
  }
  return Flow::next;
}

HotCode::Flow HotCode::scalar_load(const Inst *i) {
  const Operation &op = operation(*i);
  if (op.memory.space != Space::scalar) {
    leave(i);
    return Flow::ended;
  }
  Value *address = ir.CreateAdd(read64(i, i->src[0]), constant64(i->imm));
  if (i->src[1])
    address = ir.CreateAdd(address, ir.CreateZExt(read32(i, i->src[1]), i64));
  address = ir.CreateAnd(address, ~u64(3));
  load(Place{global_place(i, address, op.memory.bytes, false, false)}, op,
       i->dst);
  return Flow::next;
}

/// LLVM's name of the operation, if the host has it as one instruction or LLVM
/// makes a loop of it.
static std::optional<AtomicRMWInst::BinOp>
rmw_operation(const MemoryAccess &access) {
  switch (access.atomic) {
  case AtomicOperation::swap:
    return AtomicRMWInst::Xchg;
  case AtomicOperation::add:
    return AtomicRMWInst::Add;
  case AtomicOperation::sub:
    return AtomicRMWInst::Sub;
  case AtomicOperation::logic_and:
    return AtomicRMWInst::And;
  case AtomicOperation::logic_or:
    return AtomicRMWInst::Or;
  case AtomicOperation::logic_xor:
    return AtomicRMWInst::Xor;
  case AtomicOperation::min:
    return access.is_signed ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
  case AtomicOperation::max:
    return access.is_signed ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
  case AtomicOperation::inc:
    return AtomicRMWInst::UIncWrap;
  case AtomicOperation::dec:
    return AtomicRMWInst::UDecWrap;
  default:
    return std::nullopt;
  }
}

HotCode::Flow HotCode::atomic(const Inst *i) {
  const MemoryAccess &access = operation(*i).memory;
  auto rmw = rmw_operation(access);
  bool exchange = access.atomic == AtomicOperation::compare_swap;
  if (access.space == Space::lds || (!rmw && !exchange)) {
    leave(i);
    ways_in.insert(&trace_at({i + 1, on}));
    return Flow::ended;
  }
  if (!on)
    return Flow::next;
  unsigned bytes = access.bytes;
  bool wide = bytes == 8;
  Value *address = address_of(i, access.space);
  Block *aligned = fresh("aligned");
  ir.CreateCondBr(
      ir.CreateICmpEQ(ir.CreateAnd(address, bytes - 1), constant64(0)), aligned,
      leaving(i, Way::again));
  ir.SetInsertPoint(aligned);
  Value *at =
      global_place(i, address, bytes, true, access.space == Space::flat);
  auto data = [&](Operand o) { return wide ? read64(i, o) : read32(i, o); };
  constexpr auto order = AtomicOrdering::SequentiallyConsistent;
  Value *old;
  if (exchange) {
    Operand expected = i->src[2] + Operand(bytes / 4 * LANES * 4);
    auto *both = ir.CreateAtomicCmpXchg(at, data(expected), data(i->src[2]),
                                        Align(bytes), order, order);
    both->setVolatile(true);
    old = ir.CreateExtractValue(both, 0);
  } else {
    auto *update =
        ir.CreateAtomicRMW(*rmw, at, data(i->src[2]), Align(bytes), order);
    update->setVolatile(true);
    old = update;
  }
  if (i->dst) {
    u32 to = offset_of(i->dst);
    set(to, wide ? ir.CreateTrunc(old, i32) : old);
    if (wide)
      set(to + LANES * 4, ir.CreateTrunc(ir.CreateLShr(old, 32), i32));
  }
  return Flow::next;
}

} // namespace gpuexec::emulator::amdgpu::jit
