//===-- emulator/amdgpu/jit/values.cpp - Registers and operations ---------===//
#include "emulator/amdgpu/jit/hot_code.h"

#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

// Cells.

static bool is_exec(u32 offset) {
  return offset == u32(scalar_operand(EXEC)) ||
         offset == u32(scalar_operand(EXEC + 1));
}

unsigned HotCode::cell(u32 offset) {
  auto [it, is_new] = cell_numbers.insert({offset, unsigned(cells.size())});
  if (is_new) {
    IRBuilder<> first(&function->getEntryBlock(),
                      function->getEntryBlock().begin());
    cells.push_back({offset, first.CreateAlloca(i32)});
  }
  return it->second;
}
HotCode::Value *HotCode::get(u32 offset) {
  if (is_exec(offset)) {
    u64 exec = on ? lane_mask() : 0;
    return constant32(
        u32(offset == u32(scalar_operand(EXEC)) ? exec : exec >> 32));
  }
  unsigned k = cell(offset);
  liveness.read(segment, k);
  return ir.CreateLoad(i32, cells[k].variable);
}
void HotCode::set(u32 offset, Value *value) {
  if (is_exec(offset)) // write_exec() has not been told
    failed = true;
  unsigned k = cell(offset);
  liveness.write(segment, k);
  ir.CreateStore(value, cells[k].variable);
  dirty.insert(k);
  leaves.clear();
  constants.erase(offset);
}
HotCode::Value *HotCode::get_scc() { return ir.CreateLoad(i1, scc); }
void HotCode::set_scc(Value *bit) {
  ir.CreateStore(bit, scc);
  scc_dirty = true;
  leaves.clear();
}
u32 HotCode::offset_of(Operand operand) const {
  return operand & ROW ? u32(operand & ~ROW) + request.lane * 4 : u32(operand);
}

// Operands. Inline constants are cells of State that never change.

static bool is_constant(Operand o) {
  return !(o & ROW) && o >= Operand(offsetof(State, constants)) &&
         o < Operand(offsetof(State, constants) + sizeof(State::constants));
}

template <typename T> static T constant_at(const Request &request, Operand o) {
  T value;
  memcpy(&value,
         reinterpret_cast<const char *>(request.constants) +
             (o - Operand(offsetof(State, constants))),
         sizeof(value));
  return value;
}

HotCode::Value *HotCode::read32(const Inst *i, Operand o) {
  if (o == LITERAL)
    return constant32(u32(i->imm));
  if (is_constant(o))
    return constant32(constant_at<u32>(request, o));
  return get(offset_of(o));
}
HotCode::Value *HotCode::read64(const Inst *i, Operand o) {
  if (o == LITERAL)
    return constant64(i->imm);
  if (is_constant(o))
    return constant64(constant_at<u64>(request, o));
  u32 low = offset_of(o), high = low + (o & ROW ? LANES * 4 : 4);
  return ir.CreateOr(ir.CreateZExt(get(low), i64),
                     ir.CreateShl(ir.CreateZExt(get(high), i64), 32));
}

void HotCode::write_scalar(Operand o, Value *value, unsigned bytes) {
  set(offset_of(o), ir.CreateTrunc(value, i32));
  if (bytes == 8)
    set(offset_of(o) + 4, ir.CreateTrunc(ir.CreateLShr(value, 32), i32));
}
void HotCode::write_vector(Operand o, Value *value, unsigned registers) {
  if (!on)
    return;
  u32 offset = offset_of(o);
  for (unsigned k = 0; k < registers; ++k, offset += LANES * 4)
    set(offset, ir.CreateTrunc(k ? ir.CreateLShr(value, 32) : value, i32));
}
HotCode::Value *HotCode::lane_bit(const Inst *i, Operand o) {
  Value *half =
      o == LITERAL || is_constant(o)
          ? ir.CreateTrunc(ir.CreateLShr(read64(i, o), request.lane & 32), i32)
          : get(offset_of(o) + (request.lane >= 32 ? 4 : 0));
  return ir.CreateICmpNE(ir.CreateAnd(half, 1u << (request.lane & 31)),
                         constant32(0));
}
void HotCode::write_mask(Operand o, Value *lane) {
  write_scalar(o,
               on ? ir.CreateShl(ir.CreateZExt(lane, i64), request.lane)
                  : constant64(0),
               8);
}

HotCode::Flow HotCode::write_exec(const Inst *i, Value *mask) {
  flush();
  Block *narrow = fresh("exec"), *more_lanes = fresh("wide");
  ir.CreateCondBr(
      ir.CreateICmpEQ(ir.CreateAnd(mask, ~lane_mask()), constant64(0)), narrow,
      more_lanes);
  // Other lanes wake up.
  ir.SetInsertPoint(more_lanes);
  ir.CreateStore(mask, state_pointer(scalar_operand(EXEC)));
  ir.CreateBr(leaving(i + 1, Way::wide));
  ir.SetInsertPoint(narrow);
  Trace &with = trace_at({i + 1, true}), &without = trace_at({i + 1, false});
  liveness.edge(segment, with.segment);
  liveness.edge(segment, without.segment);
  ir.CreateCondBr(ir.CreateICmpNE(mask, constant64(0)), with.block,
                  without.block);
  return Flow::ended;
}

// Operations.

std::optional<HotCode::Given> HotCode::call(StringRef name,
                                            ArrayRef<Value *> sources,
                                            Value *condition, u32 mods,
                                            Value *old) {
  Function *operation = compiler.operation(*work.module, name);
  if (!operation)
    return std::nullopt;
  Value *arguments[8];
  for (unsigned k = 0; k < 3; ++k)
    arguments[k] = k < sources.size() ? sources[k] : constant64(0);
  arguments[3] = condition ? condition : ir.getFalse();
  arguments[4] = constant32(request.lane);
  arguments[5] = constant32(mods);
  arguments[6] = old ? old : constant64(0);
  arguments[7] = bit;
  CallInst *value = ir.CreateCall(operation, arguments);
  value->addParamAttr(3, Attribute::ZExt);
  return Given{value, ir.CreateTrunc(ir.CreateLoad(i8, bit), i1)};
}

HotCode::Flow HotCode::vector_operation(const Inst *i) {
  const Operation &op = operation(*i);
  std::string name = op.name;
  if (i->variant == Variant::saturating)
    name += "_sat";
  if (!on) { // but the mask is written
    if (op.writes_mask)
      write_mask(i->sdst, nullptr);
    return Flow::next;
  }
  bool packed = op.form == Form::packed || op.form == Form::packed32;
  if (!compiler.operation(*work.module, name) || op.sources > 3 ||
      (packed && op.tied)) {
    leave(i);
    return Flow::ended;
  }
  SmallVector<Value *, 3> sources;
  for (unsigned k = 0; k < op.sources; ++k)
    sources.push_back(registers_of(op.source[k]) == 2
                          ? read64(i, i->src[k])
                          : ir.CreateZExt(read32(i, i->src[k]), i64));
  Value *condition = op.condition ? lane_bit(i, i->scond) : nullptr;
  Value *old = op.keep_high ? ir.CreateZExt(read32(i, i->dst), i64) : nullptr;
  auto result = call(name, sources, condition, i->mods, old);
  unsigned registers =
      packed ? (op.form == Form::packed32 ? 2 : 1) : registers_of(op.result);
  if (registers)
    write_vector(i->dst, result->value, registers);
  if (op.writes_mask)
    write_mask(i->sdst, result->bit);
  return Flow::next;
}

HotCode::Flow HotCode::scalar_operation(const Inst *i) {
  const Operation &op = operation(*i);
  SmallVector<Value *, 3> sources;
  for (unsigned k = 0; k < op.sources; ++k)
    sources.push_back(registers_of(op.source[k]) == 2
                          ? read64(i, i->src[k])
                          : ir.CreateZExt(read32(i, i->src[k]), i64));
  auto result = call(op.name, sources, get_scc(), 0, nullptr);
  auto learned = constants;
  learn(i);
  std::swap(learned, constants); // what is known after the write
  Flow flow = Flow::next;
  if (op.writes_scc)
    set_scc(result->bit);
  if (unsigned registers = registers_of(op.result)) {
    if (i->variant == Variant::writes_exec) {
      Value *mask = result->value;
      if (registers != 2) { // half of EXEC: rare
        bool upper = i->dst != scalar_operand(EXEC);
        u64 rest = on ? lane_mask() : 0;
        rest &= upper ? 0xffffffffu : ~u64(0xffffffffu);
        mask = ir.CreateAnd(mask, 0xffffffffu);
        mask = ir.CreateOr(upper ? ir.CreateShl(mask, 32) : mask, rest);
      }
      flow = write_exec(i, mask);
    } else
      write_scalar(i->dst, result->value, 4 * registers);
  }
  for (u32 offset : {offset_of(i->dst), offset_of(i->dst) + 4})
    if (auto it = learned.find(offset); it != learned.end())
      constants[offset] = it->second;
  return flow;
}

HotCode::Flow HotCode::save_exec(const Inst *i) {
  const Operation &op = operation(*i);
  Value *exec = read64(i, scalar_operand(EXEC));
  auto result = call(op.name, {read64(i, i->src[0]), exec}, nullptr, 0, nullptr);
  if (!result) {
    leave(i);
    return Flow::ended;
  }
  write_scalar(i->dst, op.saves_exec ? exec : result->value, 8);
  set_scc(result->bit);
  constant_scc.reset();
  return write_exec(i, result->value);
}

HotCode::Flow HotCode::sdwa(const Inst *i) {
  if (!on)
    return Flow::next;
  u32 shift = i->imm & 31, up = 32 - (i->imm >> 8 & 63);
  bool sign = i->imm >> 16 & 1;
  Value *v = ir.CreateShl(ir.CreateLShr(read32(i, i->src[0]), shift), up);
  set(offset_of(i->dst), sign ? ir.CreateAShr(v, up) : ir.CreateLShr(v, up));
  return Flow::next;
}
HotCode::Flow HotCode::sdwa_merge(const Inst *i) {
  if (!on)
    return Flow::next;
  u32 shift = i->imm & 31, width = i->imm >> 8 & 63, unused = i->imm >> 17 & 3;
  u32 field = (width == 32 ? ~0u : (1u << width) - 1) << shift,
      keep = unused == 2 ? ~field : 0;
  Value *a = read32(i, i->src[0]);
  Value *v =
      unused == 1
          ? ir.CreateShl(ir.CreateAShr(ir.CreateShl(a, 32 - width), 32 - width),
                         shift)
          : ir.CreateAnd(ir.CreateShl(a, shift), field);
  v = ir.CreateOr(ir.CreateAnd(read32(i, i->dst), keep), v);
  write_vector(i->dst, ir.CreateZExt(v, i64), 1);
  return Flow::next;
}

/// v_readlane and its like take one lane's value of a row, whichever it is. The
/// other lanes' are in State alone.
HotCode::Flow HotCode::other_lanes(const Inst *i) {
  auto at = [&](Operand row, Value *lane) {
    // This lane's may not be in State yet.
    if (auto it = cell_numbers.find(offset_of(row)); it != cell_numbers.end())
      if (dirty.contains(it->second))
        flush();
    return ir.CreateGEP(i32, state_pointer(u32(row & ~ROW)), lane);
  };
  if (i->operation == OperationId::v_readfirstlane_b32) { // EXEC = 0: lane 0
    bool mine = on || request.lane == 0 || !(i->src[0] & ROW);
    set(offset_of(i->dst),
        mine ? read32(i, i->src[0])
             : ir.CreateLoad(i32, at(i->src[0], constant64(0))));
    return Flow::next;
  }
  Value *lane = ir.CreateZExt(ir.CreateAnd(read32(i, i->src[1]), 63), i64);
  auto *number = dyn_cast<ConstantInt>(lane);
  bool mine = number && number->getZExtValue() == request.lane;
  if (i->operation == OperationId::v_readlane_b32) {
    set(offset_of(i->dst), mine || !(i->src[0] & ROW)
                               ? read32(i, i->src[0])
                               : ir.CreateLoad(i32, at(i->src[0], lane)));
    return Flow::next;
  }
  Value *value = read32(i, i->src[0]); // v_writelane_b32
  if (mine) {
    set(offset_of(i->dst), value);
    return Flow::next;
  }
  ir.CreateStore(value, at(i->dst, lane));
  if (!number) // it may have been this one
    set(offset_of(i->dst),
        ir.CreateLoad(i32, state_pointer(offset_of(i->dst))));
  return Flow::next;
}

HotCode::Flow HotCode::special(const Inst *i) {
  switch (i->operation) {
  case OperationId::v_readfirstlane_b32:
  case OperationId::v_readlane_b32:
  case OperationId::v_writelane_b32:
    return other_lanes(i);
  case OperationId::v_swap_b32: {
    Value *a = read32(i, i->dst), *b = read32(i, i->src[0]);
    write_vector(i->dst, ir.CreateZExt(b, i64), 1);
    write_vector(i->src[0], ir.CreateZExt(a, i64), 1);
    return Flow::next;
  }
  default:
    return control(i);
  }
}

// Scalar constants, followed far enough to know the target of a direct call:
// s_getpc, s_add_u32, s_addc_u32.

std::optional<u32> HotCode::known(Operand o, const Inst *i) const {
  if (o == LITERAL)
    return u32(i->imm);
  if (o & ROW)
    return std::nullopt;
  if (is_constant(o)) {
    u32 value;
    memcpy(&value,
           reinterpret_cast<const char *>(request.constants) +
               (o - Operand(offsetof(State, constants))),
           4);
    return value;
  }
  auto it = constants.find(u32(o));
  return it == constants.end() ? std::nullopt : std::optional(it->second);
}

/// Notes in `constants` what a scalar operation is known to write.
void HotCode::learn(const Inst *i) {
  u32 to = offset_of(i->dst);
  auto a = known(i->src[0], i), b = known(i->src[1], i);
  bool carry_known = constant_scc.has_value(),
       carry = constant_scc.value_or(false);
  constant_scc.reset();
  if (i->operation == OperationId::s_mov_b32 && a)
    constants[to] = *a;
  else if (i->operation == OperationId::s_mov_b64) {
    auto high = i->src[0] == LITERAL ? std::optional(u32(i->imm >> 32))
                                     : known(i->src[0] + 4, i);
    if (a && high) {
      constants[to] = *a;
      constants[to + 4] = *high;
    }
  } else if (i->operation == OperationId::s_add_u32 && a && b) {
    constants[to] = *a + *b;
    constant_scc = *a + *b < *a;
  } else if (i->operation == OperationId::s_addc_u32 && a && b && carry_known) {
    u64 sum = u64(*a) + *b + carry;
    constants[to] = u32(sum);
    constant_scc = sum >> 32;
  } else {
    constants.erase(to);
    constants.erase(to + 4);
  }
}

} // namespace gpuexec::emulator::amdgpu::jit
