//===-- emulator/ptx/lower/memory.cpp - ld, st, mov, cvta -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/lower/emitter.h"
#include "emulator/ptx/lower/host.h"
#include "emulator/ptx/lower/states.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/AMDGPUAddrSpace.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

/// How an access orders itself with others.
struct Ordering {
  AtomicOrdering order = AtomicOrdering::NotAtomic;
  SyncScope::ID scope = SyncScope::System;
  bool is_volatile = false;
};

Ordering ordering_of(Emitter &emitter, const Instruction &i) {
  Ordering result;
  if (i.has("relaxed") || i.has("mmio"))
    result.order = AtomicOrdering::Monotonic;
  else if (i.has("acquire"))
    result.order = AtomicOrdering::Acquire;
  else if (i.has("release"))
    result.order = AtomicOrdering::Release;
  result.is_volatile = i.has("volatile") || i.has("cv") || i.has("wt");
  LLVMContext &context = emitter.module.getContext();
  if (i.has("cta"))
    result.scope = context.getOrInsertSyncScopeID("workgroup");
  else if (i.has("gpu") || i.has("cluster"))
    result.scope = context.getOrInsertSyncScopeID("agent");
  return result;
}

/// The elements of `{a, b}`, or the operand alone.
ArrayRef<Operand> elements_of(const Operand &operand) {
  return operand.kind == Operand::Kind::list ? operand.parts
                                             : ArrayRef<Operand>(operand);
}

/// The one of .v2, .v4, .v8; 1 without.
unsigned vector_of(const Instruction &i) {
  for (unsigned count : {2, 4, 8})
    if (i.has(count == 2 ? "v2" : count == 4 ? "v4" : "v8"))
      return count;
  return 1;
}

/// The type of a memory access, and the pointer of each part of it: the whole
/// at once, or each element where atomics have no vectors.
class Access {
public:
  Access(Emitter &emitter, const Instruction &i, const Operand &address,
         unsigned count)
      : ir(emitter.ir), type(i.type()), count(count),
        ordering(ordering_of(emitter, i)),
        pointer(emitter.address(address, i.space().value_or(Space::generic))) {
    element = emitter.ir.getIntNTy(std::max(bits_of(type), 8u));
    // Another thread may wait for it, or write between two accesses.
    if (is_host(emitter.module) && ordering.is_volatile)
      unfit(emitter, "a volatile access");
  }

  SmallVector<Value *, 8> load() {
    SmallVector<Value *, 8> values;
    if (count == 1 || ordering.order != AtomicOrdering::NotAtomic) {
      for (unsigned at = 0; at < count; ++at)
        values.push_back(finish(ir.CreateLoad(element, part(at)), bytes()));
      return values;
    }
    Value *all =
        finish(ir.CreateLoad(FixedVectorType::get(element, count), pointer),
               bytes() * count);
    for (unsigned at = 0; at < count; ++at)
      values.push_back(ir.CreateExtractElement(all, at));
    return values;
  }

  void store(ArrayRef<Value *> values) {
    if (count == 1 || ordering.order != AtomicOrdering::NotAtomic) {
      for (unsigned at = 0; at < count; ++at)
        finish(ir.CreateStore(values[at], part(at)), bytes());
      return;
    }
    Value *all = PoisonValue::get(FixedVectorType::get(element, count));
    for (unsigned at = 0; at < count; ++at)
      all = ir.CreateInsertElement(all, values[at], at);
    finish(ir.CreateStore(all, pointer), bytes() * count);
  }

private:
  unsigned bytes() const { return element->getIntegerBitWidth() / 8; }
  Value *part(unsigned at) {
    return at ? ir.CreateConstInBoundsGEP1_32(element, pointer, at) : pointer;
  }
  /// PTX aligns an access by its size.
  template <typename Instruction>
  Instruction *finish(Instruction *access, unsigned alignment) {
    access->setAlignment(Align(alignment));
    if (ordering.order != AtomicOrdering::NotAtomic && bytes() <= 8)
      access->setAtomic(ordering.order, ordering.scope);
    access->setVolatile(ordering.is_volatile);
    return access;
  }

  IRBuilder<> &ir;
  Type type;
  unsigned count;
  Ordering ordering;
  Value *pointer;
  llvm::Type *element;
};

/// An operand that may be a vector register is as many elements as the access.
bool check_elements(Emitter &emitter, const Instruction &i,
                    ArrayRef<Operand> elements) {
  if (bits_of(i.type()) >= 8 && elements.size() == vector_of(i))
    return true;
  emitter.fail(i, bits_of(i.type()) < 8 ? "it has no type of memory"
                                        : "it has another number of elements");
  return false;
}

/// `v` of `.reg .v4 .f32 v` as v.x, v.y, v.z, v.w.
SmallVector<Operand, 8> spread(Emitter &emitter, const Operand &operand) {
  SmallVector<Operand, 8> result(elements_of(operand));
  if (operand.kind != Operand::Kind::name || operand.component)
    return result;
  const Place *place = emitter.state.find(operand.name);
  if (!place || place->variable->vector == 1 ||
      place->variable->space != Space::reg)
    return result;
  result.clear();
  for (char component : StringRef("xyzw").take_front(place->variable->vector)) {
    result.push_back(operand);
    result.back().component = component;
  }
  return result;
}

void lower_load(Emitter &emitter, const Instruction &i) {
  if (i.operands.size() < 2)
    return emitter.fail(i, "a register and an address expected");
  const SmallVector<Operand, 8> elements = spread(emitter, i.operands[0]);
  if (!check_elements(emitter, i, elements))
    return;
  Access access(emitter, i, i.operands[1], elements.size());
  for (auto [element, value] : zip(elements, access.load()))
    emitter.write(element, value, i.type());
}

void lower_store(Emitter &emitter, const Instruction &i) {
  if (i.operands.size() < 2)
    return emitter.fail(i, "an address and a value expected");
  const SmallVector<Operand, 8> elements = spread(emitter, i.operands[1]);
  if (!check_elements(emitter, i, elements))
    return;
  SmallVector<Value *, 8> values;
  for (const Operand &element : elements)
    values.push_back(
        emitter.ir.CreateBitCast(emitter.read(element, i.type()),
                                 emitter.ir.getIntNTy(bits_of(i.type()))));
  Access(emitter, i, i.operands[0], elements.size()).store(values);
}

/// The type whose bits are a part of `whole` that is cut in `count` parts.
Type part_type(Type whole, size_t count) {
  switch (count ? bits_of(whole) / count : 0) {
  case 8:
    return Type::b8;
  case 16:
    return Type::b16;
  case 32:
    return Type::b32;
  case 64:
    return Type::b64;
  default:
    return Type::none;
  }
}

/// `mov.b64 {%r1, %r2}, %rd1` and `mov.b64 %rd1, {%r1, %r2}`.
void lower_packed_move(Emitter &emitter, const Instruction &i) {
  const Operand &to = i.operands[0], &from = i.operands[1];
  IRBuilder<> &ir = emitter.ir;
  const bool unpacks = to.kind == Operand::Kind::list;
  const ArrayRef<Operand> parts = unpacks ? to.parts : from.parts;
  const Type part = part_type(i.type(), parts.size());
  if (part == Type::none)
    return emitter.fail(i, "its parts do not make up its type");
  llvm::Type *vector =
      FixedVectorType::get(ir.getIntNTy(bits_of(part)), parts.size());
  if (unpacks) {
    Value *whole = ir.CreateBitCast(emitter.read(from, i.type()), vector);
    for (auto [at, operand] : enumerate(parts))
      emitter.write(operand, ir.CreateExtractElement(whole, at), part);
    return;
  }
  Value *whole = PoisonValue::get(vector);
  for (auto [at, operand] : enumerate(parts))
    whole = ir.CreateInsertElement(whole, emitter.read(operand, part), at);
  emitter.write(to, ir.CreateBitCast(whole, ir.getIntNTy(bits_of(i.type()))),
                i.type());
}

void lower_move(Emitter &emitter, const Instruction &i) {
  if (i.operands.size() != 2 || i.type() == Type::none)
    return emitter.fail(i, "a type and two operands expected");
  const Operand &to = i.operands[0], &from = i.operands[1];
  const bool has_list =
      to.kind == Operand::Kind::list || from.kind == Operand::Kind::list;
  const unsigned count = vector_of(i);
  if (has_list && count == 1)
    return lower_packed_move(emitter, i);
  if (count == 1)
    return emitter.write(to, emitter.read(from, i.type()), i.type());
  const auto targets = spread(emitter, to), sources = spread(emitter, from);
  if (targets.size() != count || sources.size() != count)
    return emitter.fail(i, "it has another number of elements");
  SmallVector<Value *, 8> values;
  for (const Operand &source : sources)
    values.push_back(emitter.read(source, i.type()));
  for (auto [target, value] : zip(targets, values))
    emitter.write(target, value, i.type());
}

/// `cvta.shared.u64` to a generic address and `cvta.to.shared.u64` from one.
void lower_cvta(Emitter &emitter, const Instruction &i) {
  if (i.operands.size() != 2 || !i.space())
    return emitter.fail(i, "a space and two operands expected");
  IRBuilder<> &ir = emitter.ir;
  const Operand &to = i.operands[0], &from = i.operands[1];
  const unsigned space = address_space(*i.space(), emitter.module);
  if (space != AMDGPUAS::LOCAL_ADDRESS && space != AMDGPUAS::PRIVATE_ADDRESS)
    return emitter.write(to, emitter.read(from, Type::b64), Type::b64);
  // A kernel's parameters are in global memory.
  if (*i.space() == Space::param && emitter.state.source.is_kernel)
    return emitter.write(to, emitter.read(from, Type::b64), Type::b64);
  if (i.has("to")) // the low half of a generic address is the offset
    return emitter.write(to, emitter.read(from, Type::b32), Type::b32);
  Operand address = from;
  address.kind = Operand::Kind::address;
  Value *pointer = ir.CreateAddrSpaceCast(emitter.address(address, *i.space()),
                                          ir.getPtrTy());
  emitter.write(to, ir.CreatePtrToInt(pointer, ir.getInt64Ty()), Type::b64);
}

void lower_isspacep(Emitter &emitter, const Instruction &i) {
  if (i.operands.size() != 2 || !i.space())
    return emitter.fail(i, "a space and two operands expected");
  IRBuilder<> &ir = emitter.ir;
  Value *pointer =
      ir.CreateIntToPtr(emitter.read(i.operands[1], Type::b64), ir.getPtrTy());
  if (is_host(emitter.module)) {
    if (*i.space() != Space::shared)
      unfit(emitter, "isspacep");
    Value *begin = host_number(emitter, host::SHARED_BEGIN, ir.getInt64Ty());
    Value *bytes = host_number(emitter, host::SHARED_BYTES, ir.getInt64Ty());
    Value *offset =
        ir.CreateSub(ir.CreatePtrToInt(pointer, ir.getInt64Ty()), begin);
    return emitter.write(i.operands[0], ir.CreateICmpULT(offset, bytes),
                         Type::pred);
  }
  Value *shared = emitter.intrinsic(Intrinsic::amdgcn_is_shared, {}, {pointer});
  Value *local = emitter.intrinsic(Intrinsic::amdgcn_is_private, {}, {pointer});
  Value *result = ir.getFalse(); // constants and parameters are not told apart
  if (*i.space() == Space::shared)
    result = shared;
  else if (*i.space() == Space::local)
    result = local;
  else if (*i.space() == Space::global)
    result = ir.CreateNot(ir.CreateOr(shared, local));
  emitter.write(i.operands[0], result, Type::pred);
}

/// `alloca.u64 %rd1, %rd2, 16`, stacksave and stackrestore.
void lower_stack(Emitter &emitter, const Instruction &i) {
  IRBuilder<> &ir = emitter.ir;
  llvm::Type *local = ir.getPtrTy(AMDGPUAS::PRIVATE_ADDRESS);
  if (i.operands.empty())
    return emitter.fail(i, "a register expected");
  if (is_host(emitter.module))
    return unfit(emitter, i.opcode);
  if (i.opcode == "stacksave") {
    Value *saved = emitter.intrinsic(Intrinsic::stacksave, {local}, {});
    return emitter.write(i.operands[0],
                         ir.CreatePtrToInt(saved, ir.getInt32Ty()), Type::b32);
  }
  if (i.opcode == "stackrestore") {
    Value *saved =
        ir.CreateIntToPtr(emitter.read(i.operands[0], Type::b32), local);
    emitter.intrinsic(Intrinsic::stackrestore, {local}, {saved});
    return;
  }
  if (i.operands.size() < 2)
    return emitter.fail(i, "a register and a size expected");
  const uint64_t alignment =
      i.operands.size() > 2 ? uint64_t(i.operands[2].integer) : 8;
  if (!isPowerOf2_64(alignment) || alignment > 4096)
    return emitter.fail(i, "an alignment up to 4096 expected");
  AllocaInst *storage =
      ir.CreateAlloca(ir.getInt8Ty(), AMDGPUAS::PRIVATE_ADDRESS,
                      emitter.read(i.operands[1], Type::b32));
  storage->setAlignment(Align(alignment));
  emitter.write(i.operands[0], ir.CreatePtrToInt(storage, ir.getInt32Ty()),
                Type::b32);
}

} // namespace

bool lower_memory(Emitter &emitter, const Instruction &i) {
  const StringRef opcode = i.opcode;
  if (opcode == "ld" || opcode == "ldu")
    lower_load(emitter, i);
  else if (opcode == "st")
    lower_store(emitter, i);
  else if (opcode == "mov")
    lower_move(emitter, i);
  else if (opcode == "cvta")
    lower_cvta(emitter, i);
  else if (opcode == "isspacep")
    lower_isspacep(emitter, i);
  else if (opcode == "alloca" || opcode == "stacksave" ||
           opcode == "stackrestore")
    lower_stack(emitter, i);
  else
    return opcode == "prefetch" || opcode == "prefetchu" ||
           opcode == "applypriority" || opcode == "discard";
  return true;
}

} // namespace gpuexec::ptx
