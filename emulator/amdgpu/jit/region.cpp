//===-- emulator/amdgpu/jit/region.cpp - A region as one function ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/region.h"

#include "emulator/amdgpu/decode/whole_registers.h"

#include <algorithm>
#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

// The limits of a region. Code beyond them becomes a region of its own if it is
// hot. Cold blocks are added last, and only to regions below MAX_WITH_COLD.
static constexpr unsigned MAX_TRACES = 500, MAX_INSTRUCTIONS = 1200,
                          MAX_WITH_COLD = 300;
// Within a block the limit is higher: straight code is not cut before this.
static constexpr unsigned MAX_STRAIGHT = 3000;
// A region of this many instructions jumps into existing compiled code instead
// of including it.
static constexpr unsigned INSTRUCTIONS_BEFORE_JUMPING_OUT = 150;
// A region of fewer instructions is compiled only if it has a loop: otherwise
// entering it costs more than it saves.
static constexpr unsigned MIN_WITHOUT_LOOP = 8;
// The most instructions of warm code in a region. With more, the compiler is
// asked again for the hotter part alone; if that is too much as well, the code
// has no hot loop, and baseline code stays.
static constexpr unsigned MAX_WARM = 1000;
// With more dirty registers than this, write them back before the branch
// instead of in its side exit.
static constexpr unsigned MAX_DIRTY = 64;

/// What becomes of a special instruction (ops/special.def).
enum class SpecialTranslation : u8 {
  interpret,       // left to the interpreter
  interpret_enter, // like interpret; compiled code goes on behind it
  jump,
  between_lanes,
  swap,
  get_pc,
};
static SpecialTranslation special_translation(OperationId id) {
  switch (id) {
#define SPECIAL(name, class, handler, uses, stencil, jit, shadow)              \
  case OperationId::name:                                                      \
    return SpecialTranslation::jit;
#define JUMP(name, terminator, handler, uses, stencil, shadow)                 \
  case OperationId::name:                                                      \
    return SpecialTranslation::jump;
#define BRANCH_IF(name, condition, shadow)                                     \
  case OperationId::name:                                                      \
    return SpecialTranslation::jump;
#include "emulator/amdgpu/ops/special.def"
  default:
    return SpecialTranslation::interpret;
  }
}

HotRegion::HotRegion(Compiler &compiler, const std::set<Entry> &compiled,
                     const Request &request, const Unwritten &unwritten)
    : compiled(compiled), b(compiler, request), registers(b),
      exits(b, registers), traces(b, registers, exits, unwritten),
      control(b, registers, exits, traces), arithmetic(b, registers, control),
      memory(b, registers, exits), counting(b, registers, memory),
      check(b.block("check")), enter(b.block("enter")),
      other(b.block("other")) {}

bool HotRegion::build() {
  prologue();
  traces.add_entry({b.request.head, b.request.on});
  translate_traces();
  if (is_too_warm())
    return false;
  if (!registers.consistent() ||
      (translated < MIN_WITHOUT_LOOP && !traces.has_loop()))
    return false;
  control.finish();
  b.first.CreateBr(check);
  b.ir.SetInsertPoint(enter);
  traces.dispatch();
  exits.finish();
  registers.choose_types();
  b.finish_pointers();
  return true;
}

bool HotRegion::is_too_warm() const {
  return b.request.warm && translated > MAX_WARM;
}

std::string HotRegion::summary() const {
  return std::to_string(translated) + " instructions, " +
         std::to_string(traces.count()) + " blocks, " +
         std::to_string(traces.entry_count()) + " entries" + exits.summary();
}

Result HotRegion::result() const {
  Result all = traces.result();
  all.left_for.assign(exits.left_for().begin(), exits.left_for().end());
  return all;
}

/// Emits the checks of what the translation assumes of the wave (its lane,
/// mode, layout of the stack), and loads from State what every trace uses.
void HotRegion::prologue() {
  Block *start = b.block("start");
  b.ir.SetInsertPoint(check);
  Value *good =
      b.ir.CreateICmpEQ(b.state_field(offsetof(State, lane4), b.i32, "lane4"),
                        b.constant32(b.request.lane * 4));
  good = b.ir.CreateAnd(
      good, b.ir.CreateICmpNE(
                b.state_field(offsetof(State, default_mode), b.i8, "mode"),
                b.ir.getInt8(0)));
  Value *word_stride =
      b.state_field(offsetof(State, word_stride), b.i32, "word_stride");
  Value *linear = b.ir.CreateICmpEQ(word_stride, b.constant32(4));
  good = b.ir.CreateAnd(
      good, b.request.linear_scratch ? linear : b.ir.CreateNot(linear));
  b.ir.CreateCondBr(good, start, other, b.likely());
  b.ir.SetInsertPoint(other);
  // The handler for any EXEC does, and is never replaced.
  Value *any =
      b.ir.CreateLoad(b.ptr, b.ir.CreateConstGEP1_64(b.ptr, b.inst, SOME));
  CallInst *tail = b.ir.CreateCall(b.function->getFunctionType(), any,
                                   {b.state, b.inst, PoisonValue::get(b.i64)});
  tail->setTailCallKind(CallInst::TCK_MustTail);
  b.ir.CreateRetVoid();

  b.ir.SetInsertPoint(start);
  memory.load_segments(word_stride);
  if (b.request.counting)
    counting.load_table();
  registers.load_scc();
  exits.load_budget();
  b.check_epoch(enter);
}

void HotRegion::translate_traces() {
  auto wanted = [&](const Trace &next) {
    bool full = traces.count() >= MAX_TRACES ||
                translated >= std::min(MAX_INSTRUCTIONS, b.request.largest);
    bool is_compiled = translated >= INSTRUCTIONS_BEFORE_JUMPING_OUT &&
                       compiled.count({next.at.inst, next.at.on ? ONE : NONE});
    return !next.translated && !full && !is_compiled;
  };
  for (;;) {
    Trace *next = traces.next_hot();
    if (!next) {
      next = traces.next_cold();
      if (!next)
        break;
      if (translated >= MAX_WITH_COLD || b.request.warm)
        continue;
    }
    if (wanted(*next))
      trace(*next);
    if (is_too_warm())
      return;
  }
  traces.leave_untranslated();
}

void HotRegion::trace(Trace &trace) {
  trace.translated = true;
  traces.begin(trace);
  const Inst *head = trace.at.inst;
  for (const Inst *i = head;; ++i) {
    // Straight code is not cut into pieces before it is very long.
    if (translated >= MAX_STRAIGHT && i != head && i->pc != i[-1].pc)
      return exits.leave_for(i);
    if (i != head && i->pc != i[-1].pc)
      registers.end_instruction();
    if (const unsigned length = whole_registers(i)) {
      memory.whole_registers(i, length);
      translated += length;
      i += length - 1;
      continue;
    }
    switch (translate(i)) {
    case Flow::next:
      break;
    case Flow::ended:
      return;
    case Flow::interpret:
      return exits.leave(i, name_of(*i));
    case Flow::interpret_enter:
      exits.leave(i, name_of(*i));
      return traces.add_entry({i + 1, registers.lane_on()});
    }
    if (registers.dirty_count() > MAX_DIRTY)
      registers.flush();
  }
}

/// The length in micro-ops of the sequence that begins here and saves or loads
/// registers of all lanes (decode/whole_registers.h); 0 if there is none, or if
/// this wave's stack does not let the JIT copy them.
unsigned HotRegion::whole_registers(const Inst *i) const {
  return b.request.linear_scratch && b.request.lane == 0 ? whole_registers_at(i)
                                                         : 0;
}

Flow HotRegion::translate(const Inst *i) {
  switch (i->kind) {
  case MicroOpKind::count:
    return counting.basic_block(i);
  case MicroOpKind::count_access:
    return counting.access(i);
  case MicroOpKind::count_divergence:
    return counting.divergence();
  default:
    break;
  }
  // While the lane is off, vector instructions are skipped and not counted.
  if (registers.lane_on() || i->kind != MicroOpKind::operation ||
      operation(*i).form == Form::salu)
    ++translated;
  return i->kind == MicroOpKind::operation ? operation_of_table(i)
                                           : arithmetic.micro_op(i);
}

Flow HotRegion::operation_of_table(const Inst *i) {
  switch (operation(*i).form) {
  case Form::valu:
  case Form::vcmp:
  case Form::packed:
  case Form::packed32:
    return arithmetic.vector(i);
  case Form::salu:
    return arithmetic.scalar(i);
  case Form::saveexec:
    return arithmetic.save_exec(i);
  case Form::memory:
    return memory.access(i);
  case Form::scalar_load:
    return memory.scalar_load(i);
  case Form::special:
    return special(i);
  case Form::none:
  case Form::mix:
  case Form::nothing:
  case Form::fence:
    break;
  }
  return Flow::interpret;
}

Flow HotRegion::special(const Inst *i) {
  switch (special_translation(i->operation)) {
  case SpecialTranslation::jump:
    return control.branch(i);
  case SpecialTranslation::between_lanes:
    return arithmetic.between_lanes(i);
  case SpecialTranslation::swap:
    return arithmetic.swap(i);
  case SpecialTranslation::get_pc:
    return control.get_pc(i);
  case SpecialTranslation::interpret_enter:
    return Flow::interpret_enter;
  case SpecialTranslation::interpret:
    break;
  }
  return Flow::interpret;
}

} // namespace gpuexec::emulator::amdgpu::jit
