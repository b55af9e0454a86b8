//===-- emulator/amdgpu/jit/arithmetic.cpp - Operations as calls ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/arithmetic.h"
#include "emulator/amdgpu/decode/register_parts.h"

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

Arithmetic::Arithmetic(Builder &builder, RegisterFile &registers,
                       ControlFlow &control)
    : b(builder), registers(registers), control(control),
      bit(b.first.CreateAlloca(b.i8, nullptr, "bit")) {}

/// The function of the operation in its variant; null when it has none.
Function *Arithmetic::function(const Inst *i) {
  return b.compiler.operation(*b.work.module, operation(*i), i->variant);
}

Arithmetic::Returned Arithmetic::call(Function *function,
                                      ArrayRef<Value *> sources,
                                      Value *condition, u32 mods, Value *old) {
  Value *arguments[8];
  for (unsigned k = 0; k < 3; ++k)
    arguments[k] = k < sources.size() ? sources[k] : b.constant64(0);
  arguments[3] = condition ? condition : b.ir.getFalse();
  arguments[4] = b.constant32(b.request.lane);
  arguments[5] = b.constant32(mods);
  arguments[6] = old ? old : b.constant64(0);
  arguments[7] = bit;
  CallInst *value = b.ir.CreateCall(function, arguments);
  value->addParamAttr(3, Attribute::ZExt);
  return {value, b.ir.CreateTrunc(b.ir.CreateLoad(b.i8, bit), b.i1)};
}

Flow Arithmetic::vector(const Inst *i) {
  const Operation &op = operation(*i);
  if (!registers.lane_on()) { // but the mask is written
    if (op.writes_mask)
      registers.write_mask(i->sdst, nullptr);
    return Flow::next;
  }
  bool packed = op.form == Form::packed || op.form == Form::packed32;
  Function *target = function(i);
  if (!target || op.sources > 3 || (packed && op.tied))
    return Flow::interpret;
  SmallVector<Value *, 3> sources;
  for (unsigned k = 0; k < op.sources; ++k) {
    sources.push_back(registers.read(i, i->src[k], registers_of(op.source[k])));
    registers.note_type(i->src[k], op.source[k]);
  }
  registers.note_type(i->dst, op.result);
  Value *condition = op.condition ? registers.lane_bit(i, i->scond) : nullptr;
  Value *old = op.keep_high ? registers.read(i, i->dst, 1) : nullptr;
  Returned result = call(target, sources, condition, i->mods, old);
  if (unsigned count = registers_of(op.result))
    registers.write_vector(i->dst, result.value, count);
  if (op.writes_mask)
    registers.write_mask(i->sdst, result.bit);
  return Flow::next;
}

/// The constants that a scalar operation writes, of the operations that compute
/// the target of a direct call (s_getpc, s_add_u32, s_addc_u32).
Arithmetic::Known Arithmetic::fold(const Inst *i) const {
  auto x = registers.known(i, i->src[0]), y = registers.known(i, i->src[1]);
  auto carry = registers.known_scc();
  switch (i->operation) {
  case OperationId::s_mov_b32:
    return {x, {}, {}};
  case OperationId::s_mov_b64:
    return {x, registers.known(i, i->src[0], 1), {}};
  case OperationId::s_add_u32:
    if (x && y)
      return {*x + *y, {}, *x + *y < *x};
    return {};
  case OperationId::s_addc_u32:
    if (x && y && carry) {
      u64 sum = u64(*x) + *y + *carry;
      return {u32(sum), {}, sum >> 32 != 0};
    }
    return {};
  default:
    return {};
  }
}

/// The new value of EXEC when an instruction writes `half` to one half of it.
Value *Arithmetic::exec_of_half(const Inst *i, Value *half) {
  bool upper = i->dst != scalar_operand(EXEC);
  u64 rest = registers.lane_on() ? b.lane_mask() : 0;
  rest &= upper ? 0xffffffffu : ~u64(0xffffffffu);
  half = b.ir.CreateAnd(half, 0xffffffffu);
  return b.ir.CreateOr(upper ? b.ir.CreateShl(half, 32) : half, rest);
}

Flow Arithmetic::scalar(const Inst *i) {
  const Operation &op = operation(*i);
  Function *target = function(i);
  if (!target)
    return Flow::interpret;
  SmallVector<Value *, 3> sources;
  for (unsigned k = 0; k < op.sources; ++k)
    sources.push_back(registers.read(i, i->src[k], registers_of(op.source[k])));
  Returned result = call(target, sources, registers.scc(), 0, nullptr);
  Known known = fold(i);
  if (op.writes_scc)
    registers.write_scc(result.bit);
  if (known.scc)
    registers.learn_scc(*known.scc);
  unsigned count = registers_of(op.result);
  if (!count)
    return Flow::next;
  if (i->variant == Variant::writes_exec)
    return control.write_exec(i, count == 2 ? result.value
                                            : exec_of_half(i, result.value));
  registers.write_scalar(i->dst, result.value, 4 * count);
  if (known.low)
    registers.learn(i->dst, 0, *known.low);
  if (known.high)
    registers.learn(i->dst, 1, *known.high);
  return Flow::next;
}

Flow Arithmetic::save_exec(const Inst *i) {
  Function *target = function(i);
  if (!target)
    return Flow::interpret;
  // EXEC is one register in a wave of 32 lanes, and two in a wave of 64.
  const unsigned count = registers_of(operation(*i).result);
  Value *exec = registers.read(i, scalar_operand(EXEC), count);
  Returned result = call(target, {registers.read(i, i->src[0], count), exec},
                         nullptr, 0, nullptr);
  registers.write_scalar(i->dst, operation(*i).saves_exec ? exec : result.value,
                         4 * count);
  registers.write_scc(result.bit);
  return control.write_exec(i, result.value);
}

// Micro-ops; what their fields mean is said at their handlers.

Flow Arithmetic::micro_op(const Inst *i) {
  switch (i->kind) {
  case MicroOpKind::skip:
    break;
  case MicroOpKind::fence:
    b.ir.CreateFence(AtomicOrdering::SequentiallyConsistent);
    break;
  case MicroOpKind::link:
    return control.link(i);
  case MicroOpKind::sdwa:
    sdwa(i);
    break;
  case MicroOpKind::sdwa_merge:
    sdwa_merge(i);
    break;
  case MicroOpKind::modify:
    registers.write32(
        i->dst, 0,
        SignChange::unpack(i->imm).applied(word(i, i->src[0])).value);
    break;
  case MicroOpKind::upper_half:
    registers.write32(i->dst, 0,
                      b.ir.CreateLShr(registers.read32(i, i->src[0]), 16));
    break;
  case MicroOpKind::insert_half:
    if (HalfInsertion::unpack(i->imm).dpp_lanes)
      return Flow::interpret;
    write_word(i->dst, HalfInsertion::unpack(i->imm).written(
                           word(i, i->dst), word(i, i->src[0])));
    break;
  case MicroOpKind::copy_scalar:
    registers.write_scalar(i->dst, b.ir.CreateZExt(condition_code(i), b.i64),
                           8);
    break;
  case MicroOpKind::set_exec:
    return control.write_exec(i, registers.read64(i, i->src[0]));
  default:
    return Flow::interpret;
  }
  return Flow::next;
}

IrWord Arithmetic::word(const Inst *i, Operand operand) {
  return {&b.ir, registers.read32(i, operand)};
}
/// Writes a vector register that may be one of a pair.
void Arithmetic::write_word(Operand operand, IrWord word) {
  registers.write_vector(operand, b.ir.CreateZExt(word.value, b.i64), 1);
}
/// vccz, execz, scc, or vccz of a wave of 32 lanes.
Value *Arithmetic::condition_code(const Inst *i) {
  if (i->imm == 0 || i->imm == 3)
    return b.ir.CreateICmpEQ(
        registers.read(i, scalar_operand(VCC), i->imm == 0 ? 2 : 1),
        b.constant64(0));
  return i->imm == 1 ? b.ir.getInt1(!registers.lane_on()) : registers.scc();
}
void Arithmetic::sdwa(const Inst *i) {
  if (registers.lane_on())
    registers.write32(i->dst, 0,
                      Sdwa::unpack(i->imm).read(word(i, i->src[0])).value);
}
void Arithmetic::sdwa_merge(const Inst *i) {
  if (registers.lane_on())
    write_word(i->dst, SdwaMerge::unpack(i->imm).written(word(i, i->dst),
                                                         word(i, i->src[0])));
}

// Between lanes. The other lanes' registers are in State alone.

Flow Arithmetic::between_lanes(const Inst *i) {
  auto load = [&](Value *lane) {
    return b.ir.CreateLoad(b.i32, registers.element(i->src[0], lane));
  };
  bool from_row = i->src[0] & ROW;
  if (i->operation == OperationId::v_readfirstlane_b32) { // EXEC = 0: lane 0
    bool mine = registers.lane_on() || b.request.lane == 0 || !from_row;
    registers.write32(i->dst, 0,
                      mine ? registers.read32(i, i->src[0])
                           : load(b.constant64(0)));
    return Flow::next;
  }
  Value *lane = b.ir.CreateZExt(
      b.ir.CreateAnd(registers.read32(i, i->src[1]), 63), b.i64);
  auto *number = dyn_cast<ConstantInt>(lane);
  bool mine = number && number->getZExtValue() == b.request.lane;
  if (i->operation == OperationId::v_readlane_b32) {
    registers.write32(i->dst, 0,
                      mine || !from_row ? registers.read32(i, i->src[0])
                                        : load(lane));
    return Flow::next;
  }
  Value *value = registers.read32(i, i->src[0]); // v_writelane_b32
  if (mine) {
    registers.write32(i->dst, 0, value);
    return Flow::next;
  }
  b.ir.CreateStore(value, registers.element(i->dst, lane));
  if (!number) // it may have been this one
    registers.reload(i->dst);
  return Flow::next;
}

Flow Arithmetic::swap(const Inst *i) {
  Value *x = registers.read(i, i->dst, 1), *y = registers.read(i, i->src[0], 1);
  registers.write_vector(i->dst, y, 1);
  registers.write_vector(i->src[0], x, 1);
  return Flow::next;
}

} // namespace gpuexec::emulator::amdgpu::jit
