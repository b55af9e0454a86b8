//===-- emulator/amdgpu/jit/values.cpp - Registers and operations ---------===//
#include "emulator/amdgpu/jit/hot_code.h"

#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

// Cells.

AllocaInst *HotCode::cell(u32 offset) {
  auto [it, fresh_cell] = cells.insert({offset, Cell{nullptr}});
  if (fresh_cell) {
    IRBuilder<> first(&function->getEntryBlock(),
                      function->getEntryBlock().begin());
    it->second.variable = first.CreateAlloca(i32);
  }
  return it->second.variable;
}
HotCode::Value *HotCode::get(u32 offset) {
  return ir.CreateLoad(i32, cell(offset));
}
void HotCode::set(u32 offset, Value *value) {
  ir.CreateStore(value, cell(offset));
  cells[offset].dirty = true;
  constants.erase(offset);
}
u32 HotCode::offset_of(Operand operand) const {
  return operand & ROW ? u32(operand & ~ROW) + request.lane * 4 : u32(operand);
}

// Operands. Inline constants are cells of State that never change.

static bool is_constant(Operand o) {
  return !(o & ROW) && o >= Operand(offsetof(State, constants)) &&
         o < Operand(offsetof(State, constants) + sizeof(State::constants));
}

HotCode::Value *HotCode::read32(const Inst *i, Operand o) {
  if (o == LITERAL)
    return constant32(u32(i->imm));
  if (is_constant(o)) {
    u32 value;
    memcpy(&value,
           reinterpret_cast<const char *>(request.constants) +
               (o - Operand(offsetof(State, constants))),
           4);
    return constant32(value);
  }
  return get(offset_of(o));
}
HotCode::Value *HotCode::read64(const Inst *i, Operand o) {
  if (o == LITERAL)
    return constant64(i->imm);
  if (is_constant(o)) {
    u64 value;
    memcpy(&value,
           reinterpret_cast<const char *>(request.constants) +
               (o - Operand(offsetof(State, constants))),
           8);
    return constant64(value);
  }
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
  Value *on = ir.CreateLoad(i1, active);
  u32 offset = offset_of(o);
  for (unsigned k = 0; k < registers; ++k, offset += LANES * 4) {
    Value *part = ir.CreateTrunc(k ? ir.CreateLShr(value, 32) : value, i32);
    set(offset, ir.CreateSelect(on, part, get(offset)));
  }
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
  Value *on = ir.CreateAnd(lane, ir.CreateLoad(i1, active));
  write_scalar(o, ir.CreateShl(ir.CreateZExt(on, i64), request.lane), 8);
}

HotCode::Flow HotCode::write_exec(const Inst *i, Value *mask) {
  u64 lane = u64(1) << request.lane;
  Block *narrow = fresh("exec"), *wide = fresh("wide");
  ir.CreateCondBr(ir.CreateICmpEQ(ir.CreateAnd(mask, ~lane), constant64(0)),
                  narrow, wide);
  // Other lanes wake up.
  ir.SetInsertPoint(wide);
  write_scalar(scalar_operand(EXEC), mask, 8);
  ir.CreateBr(leaving(i + 1, false));
  ir.SetInsertPoint(narrow);
  Value *on = ir.CreateICmpNE(mask, constant64(0));
  ir.CreateStore(on, active);
  write_scalar(scalar_operand(EXEC),
               ir.CreateShl(ir.CreateZExt(on, i64), request.lane), 8);
  return Flow::next;
}

// Operations.

std::optional<HotCode::Result> HotCode::call(StringRef name,
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
  return Result{value, ir.CreateTrunc(ir.CreateLoad(i8, bit), i1)};
}

HotCode::Flow HotCode::vector_operation(const Inst *i, const Meaning &meaning) {
  const Operation &op = *meaning.operation;
  std::string name = op.name;
  if (meaning.saturating)
    name += "_sat";
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

HotCode::Flow HotCode::scalar_operation(const Inst *i, const Meaning &meaning) {
  StringRef name = meaning.operation->name;
  const ScalarTypes *types = meanings.scalar(name);
  if (!types) {
    leave(i);
    return Flow::ended;
  }
  SmallVector<Value *, 3> sources;
  for (unsigned k = 0; k < meaning.operation->sources; ++k)
    sources.push_back(types->source[k] == 8
                          ? read64(i, i->src[k])
                          : ir.CreateZExt(read32(i, i->src[k]), i64));
  auto result = call(name, sources, ir.CreateLoad(i1, scc), 0, nullptr);
  auto learned = constants;
  learn(i, name);
  std::swap(learned, constants); // what is known after the write
  Flow flow = Flow::next;
  if (types->writes_scc)
    ir.CreateStore(result->bit, scc);
  if (types->result) {
    if (meaning.writes_exec) {
      if (types->result != 8) { // half of EXEC: rare
        write_scalar(i->dst, result->value, 4);
        flow = write_exec(i, read64(i, scalar_operand(EXEC)));
      } else
        flow = write_exec(i, result->value);
    } else
      write_scalar(i->dst, result->value, types->result);
  }
  for (u32 offset : {offset_of(i->dst), offset_of(i->dst) + 4})
    if (auto it = learned.find(offset); it != learned.end())
      constants[offset] = it->second;
  return flow;
}

HotCode::Flow HotCode::save_exec(const Inst *i, const Operation &operation) {
  // s_NAME_saveexec: dst = EXEC; s_NAME_wrexec: dst = the new EXEC.
  StringRef name = operation.name;
  bool save = name.contains("saveexec");
  Value *exec = read64(i, scalar_operand(EXEC));
  auto result = call(name, {read64(i, i->src[0]), exec}, nullptr, 0, nullptr);
  if (!result) {
    leave(i);
    return Flow::ended;
  }
  write_scalar(i->dst, save ? exec : result->value, 8);
  ir.CreateStore(result->bit, scc);
  constant_scc.reset();
  return write_exec(i, result->value);
}

HotCode::Flow HotCode::sdwa(const Inst *i) {
  u32 shift = i->imm & 31, up = 32 - (i->imm >> 8 & 63);
  bool sign = i->imm >> 16 & 1;
  Value *v = ir.CreateShl(ir.CreateLShr(read32(i, i->src[0]), shift), up);
  set(offset_of(i->dst), sign ? ir.CreateAShr(v, up) : ir.CreateLShr(v, up));
  return Flow::next;
}
HotCode::Flow HotCode::sdwa_merge(const Inst *i) {
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

HotCode::Flow HotCode::special(const Inst *i, const Operation &operation) {
  StringRef name = operation.name;
  u32 lane_bytes = request.lane * 4;
  // One lane's value of a row, whichever lane it is.
  auto other_lane = [&](Operand o, u32 lane) {
    return state_pointer(u32(o & ~ROW) + lane * 4);
  };
  if (name == "v_readfirstlane_b32") {
    Value *v = read32(i, i->src[0]);
    if (i->src[0] & ROW && request.lane != 0) // EXEC = 0: lane 0
      v = ir.CreateSelect(ir.CreateLoad(i1, active), v,
                          ir.CreateLoad(i32, other_lane(i->src[0], 0)));
    set(offset_of(i->dst), v);
    return Flow::next;
  }
  if (name == "v_readlane_b32" || name == "v_writelane_b32") {
    auto lane = known(i->src[1], i);
    if (!lane) {
      leave(i);
      return Flow::ended;
    }
    u32 n = *lane & 63;
    if (name == "v_readlane_b32") {
      bool mine = !(i->src[0] & ROW) || n * 4 == lane_bytes;
      set(offset_of(i->dst),
          mine ? read32(i, i->src[0])
               : ir.CreateLoad(i32, other_lane(i->src[0], n)));
    } else if (n * 4 == lane_bytes)
      set(offset_of(i->dst), read32(i, i->src[0]));
    else
      ir.CreateStore(read32(i, i->src[0]), other_lane(i->dst, n));
    return Flow::next;
  }
  if (name == "v_swap_b32") {
    Value *a = read32(i, i->dst), *b = read32(i, i->src[0]);
    write_vector(i->dst, ir.CreateZExt(b, i64), 1);
    write_vector(i->src[0], ir.CreateZExt(a, i64), 1);
    return Flow::next;
  }
  if (name.starts_with("s_load_dword"))
    return scalar_load(i, name);
  if (name.starts_with("buffer_") || name.starts_with("s_dcache_")) { // fences
    ir.CreateFence(AtomicOrdering::SequentiallyConsistent);
    return Flow::next;
  }
  return control(i, name);
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
void HotCode::learn(const Inst *i, StringRef name) {
  u32 to = offset_of(i->dst);
  auto a = known(i->src[0], i), b = known(i->src[1], i);
  bool carry_known = constant_scc.has_value(),
       carry = constant_scc.value_or(false);
  constant_scc.reset();
  if (name == "s_mov_b32" && a)
    constants[to] = *a;
  else if (name == "s_mov_b64") {
    auto high = i->src[0] == LITERAL ? std::optional(u32(i->imm >> 32))
                                     : known(i->src[0] + 4, i);
    if (a && high) {
      constants[to] = *a;
      constants[to + 4] = *high;
    }
  } else if (name == "s_add_u32" && a && b) {
    constants[to] = *a + *b;
    constant_scc = *a + *b < *a;
  } else if (name == "s_addc_u32" && a && b && carry_known) {
    u64 sum = u64(*a) + *b + carry;
    constants[to] = u32(sum);
    constant_scc = sum >> 32;
  } else {
    constants.erase(to);
    constants.erase(to + 4);
  }
}

} // namespace gpuexec::emulator::amdgpu::jit
