//===-- emulator/ptx/lower/atomics.cpp - atom and red ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the host that a device may reach is told nothing special: the
// instructions are the GPU's own, as with clang's -munsafe-fp-atomics.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/forms.h"
#include "emulator/ptx/lower/host.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

AtomicOrdering ordering_of(const Instruction &i) {
  if (i.has("acq_rel"))
    return AtomicOrdering::AcquireRelease;
  if (i.has("acquire"))
    return AtomicOrdering::Acquire;
  if (i.has("release"))
    return AtomicOrdering::Release;
  return AtomicOrdering::Monotonic;
}

SyncScope::ID scope_of(Emitter &e, const Instruction &i) {
  const char *name = i.has("cta") ? "workgroup" : i.has("sys") ? "" : "agent";
  return e.ir.getContext().getOrInsertSyncScopeID(name);
}

Space space_of(const Instruction &i) {
  for (StringRef modifier : i.modifiers)
    if (modifier.starts_with("shared"))
      return Space::shared;
  return i.space().value_or(Space::generic);
}

/// `element` is the modifier that names the operation.
std::optional<AtomicRMWInst::BinOp> operation_of(const Instruction &i,
                                                 Type type) {
  using Op = AtomicRMWInst;
  bool floating = is_floating(type), by_sign = is_signed(type);
  for (StringRef modifier : i.modifiers) {
    auto found = StringSwitch<std::optional<Op::BinOp>>(modifier)
                     .Case("add", floating ? Op::FAdd : Op::Add)
                     .Case("and", Op::And)
                     .Case("or", Op::Or)
                     .Case("xor", Op::Xor)
                     .Case("exch", Op::Xchg)
                     .Case("inc", Op::UIncWrap)
                     .Case("dec", Op::UDecWrap)
                     .Case("min", floating  ? Op::FMin
                                  : by_sign ? Op::Min
                                            : Op::UMin)
                     .Case("max", floating  ? Op::FMax
                                  : by_sign ? Op::Max
                                            : Op::UMax)
                     .Default(std::nullopt);
    if (found)
      return found;
  }
  return std::nullopt;
}

/// A change of shared memory by the one thread of the host that runs a block.
/// volatile keeps LLVM from doing it for several lanes at once.
Value *update_alone(Emitter &e, AtomicRMWInst::BinOp operation, Value *pointer,
                    Value *value) {
  const Align alignment(value->getType()->getPrimitiveSizeInBits() / 8);
  LoadInst *old = e.ir.CreateAlignedLoad(value->getType(), pointer, alignment,
                                         /*isVolatile=*/true);
  Value *result = buildAtomicRMWValue(operation, e.ir, old, value);
  e.ir.CreateAlignedStore(result, pointer, alignment, /*isVolatile=*/true);
  return old;
}

Value *update(Emitter &e, const Instruction &i, AtomicRMWInst::BinOp operation,
              Value *pointer, Value *value) {
  if (is_host(e.module) && value->getType()->getScalarType()->isBFloatTy())
    unfit(e, "an atomic operation on bf16");
  if (is_host(e.module) && space_of(i) == Space::shared)
    return update_alone(e, operation, pointer, value);
  unsigned bytes = value->getType()->getPrimitiveSizeInBits() / 8;
  AtomicRMWInst *made = e.ir.CreateAtomicRMW(
      operation, pointer, value, Align(bytes), ordering_of(i), scope_of(e, i));
  if (is_host(e.module))
    return made;
  MDNode *yes = MDNode::get(e.ir.getContext(), {});
  made->setMetadata("amdgpu.no.fine.grained.memory", yes);
  made->setMetadata("amdgpu.no.remote.memory", yes);
  if (value->getType()->isFloatTy())
    made->setMetadata("amdgpu.ignore.denormal.mode", yes);
  return made;
}

void compare_and_swap(Emitter &e, const Instruction &i) {
  Type type = bits_of(i.type()) == 16   ? Type::b16
              : bits_of(i.type()) == 32 ? Type::b32
                                        : Type::b64;
  if (i.operands.size() < 4)
    return e.fail(i, "too few operands");
  if (bits_of(i.type()) != bits_of(type))
    return e.fail(i, "16, 32 and 64 bits are there");
  Value *pointer = e.address(i.operands[1], space_of(i));
  Value *expected = e.read(i.operands[2], type);
  Value *desired = e.read(i.operands[3], type);
  if (is_host(e.module) && space_of(i) == Space::shared) {
    const Align alignment(bits_of(type) / 8);
    Value *old = e.ir.CreateAlignedLoad(expected->getType(), pointer, alignment,
                                        /*isVolatile=*/true);
    Value *equal = e.ir.CreateICmpEQ(old, expected);
    e.ir.CreateAlignedStore(e.ir.CreateSelect(equal, desired, old), pointer,
                            alignment, /*isVolatile=*/true);
    return e.write(i.operands[0], old, type);
  }
  AtomicOrdering ordering = ordering_of(i);
  AtomicCmpXchgInst *made = e.ir.CreateAtomicCmpXchg(
      pointer, expected, desired, Align(bits_of(type) / 8), ordering,
      AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope_of(e, i));
  e.write(i.operands[0], e.ir.CreateExtractValue(made, 0), type);
}

/// The operand's elements of a vector form, or itself.
ArrayRef<Operand> elements(const Operand &operand) {
  if (operand.kind == Operand::Kind::list)
    return operand.parts;
  return operand;
}

/// Whether numbers of the type can be changed in this way.
bool may(AtomicRMWInst::BinOp operation, Type type) {
  unsigned bits = bits_of(type);
  if (type == Type::tf32 || type == Type::f32x2 ||
      (bits != 16 && bits != 32 && bits != 64))
    return false;
  return !is_floating(type) || AtomicRMWInst::isFPOperation(operation) ||
         (operation == AtomicRMWInst::Xchg &&
          (type == Type::f32 || type == Type::f64));
}

void emit(Emitter &e, const Instruction &i) {
  if (i.has("cas"))
    return compare_and_swap(e, i);
  Type type = i.type();
  bool returns = i.opcode == "atom";
  if (i.operands.size() < (returns ? 3u : 2u) || type == Type::none)
    return e.fail(i, "no type, or too few operands");
  auto operation = operation_of(i, type);
  if (!operation || !may(*operation, type))
    return e.fail(i, "an unknown operation");
  Value *pointer = e.address(i.operands[returns ? 1 : 0], space_of(i));
  ArrayRef<Operand> values = elements(i.operands[returns ? 2 : 1]);
  ArrayRef<Operand> results;
  if (returns)
    results = elements(i.operands[0]);
  for (unsigned n = 0; n < values.size(); ++n) {
    Value *at = n ? e.ir.CreateConstGEP1_32(e.ir.getInt8Ty(), pointer,
                                            n * bits_of(type) / 8)
                  : pointer;
    Value *old = update(e, i, *operation, at, e.read(values[n], type));
    if (n < results.size())
      e.write(results[n], old, type);
  }
}

} // namespace

bool lower_atomics(Emitter &e, const Instruction &i) {
  if (i.opcode != "atom" && i.opcode != "red")
    return false;
  if (i.has("async") || i.has("bulk"))
    e.fail(i, "asynchronous updates are not there");
  else
    emit(e, i);
  return true;
}

} // namespace gpuexec::ptx
