//===-- emulator/amdgpu/baseline/batch.cpp - Blocks become machine code --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/baseline/batch.h"
#include "emulator/amdgpu/baseline/choice.h"
#include "emulator/amdgpu/decode/block_end.h"
#include "emulator/amdgpu/decode/whole_registers.h"
#include "emulator/amdgpu/interpret/level.h"
#include "emulator/amdgpu/jit/inline_cache.h"

#include <algorithm>

namespace gpuexec::emulator::amdgpu::baseline {

void Batch::block(const Inst *head) {
  unsigned size = 1;
  while (!ends_block(head[size - 1]))
    ++size;
  first = head;
  reentered = {head};
  wanted.clear();
  for (std::vector<Label> &stream : labels) {
    stream.clear();
    stream.push_back(head_label(head, &stream == &labels[ON]));
    for (unsigned k = 0; k < size; ++k)
      stream.push_back(out.new_label());
  }
  for (bool on : {true, false})
    stream(head, size, on);
  for (unsigned k = 0; k < size; ++k)
    follow(head + k);
  add_entries();
  stubs();
  count += size;
}

Label Batch::head_label(const Inst *head, bool on) {
  auto [it, is_new] = heads.insert({{head, on}, 0});
  if (is_new)
    it->second = out.new_label();
  return it->second;
}

BlockCode &Batch::finish() {
  // Branch targets whose blocks are not in this batch.
  for (const auto &[head, label] : heads)
    if (!out.is_placed(label)) {
      out.place(label);
      Filling fill;
      fill.value(Hole::inst) = reinterpret_cast<u64>(head.first);
      out.add(special_stencil(Special::dispatch), fill);
    }
  out.finish();
  return out;
}

void Batch::stream(const Inst *head, unsigned size, bool on) {
  for (unsigned k = 0; k < size;) {
    out.place(labels[on][k]);
    if (!wide && (!k || is_conditional(head[k - 1])))
      count_passes(head + k);
    unsigned done = wide ? 0 : whole_registers(head + k, on);
    if (!done)
      done = micro_op(head + k, on);
    for (unsigned more = 1; more < done; ++more) // never jumped to
      out.place(labels[on][k + more]);
    k += done;
  }
  out.place(labels[on][size]); // never reached: a block ends with a jump
}

void Batch::count_passes(const Inst *i) {
  Filling fill;
  fill.value(Hole::passes) = reinterpret_cast<u64>(&counters[i]);
  out.add(special_stencil(Special::passed), fill);
}

static const Stencil &move_register(const Inst &inst) {
  const MemoryAccess &memory = operation(inst).memory;
  const bool load = is_load(memory.access);
  if (memory.space == Space::buffer)
    return special_stencil(load ? Special::load_register_by_buffer
                                : Special::store_register_by_buffer);
  return special_stencil(load ? Special::load_register
                              : Special::store_register);
}

/// Appends the code of a sequence of decode/whole_registers.h, if one begins
/// with `first`; returns of how many micro-ops it is. What it has done when it
/// leaves is done again.
unsigned Batch::whole_registers(const Inst *first, bool on) {
  const unsigned length = whole_registers_at(first);
  std::vector<std::pair<const Stencil *, Filling>> moves;
  for (const Inst *i = first + 1; i < first + length; ++i) {
    if (!moves_whole_register(*i))
      continue; // waits
    moves.push_back({&move_register(*i), filling(i, on)});
    if (!BlockCode::fits(*moves.back().first, moves.back().second))
      return 0;
  }
  if (moves.empty())
    return 0;
  Filling begin = filling(first, on);
  begin.value(Hole::imm) = on;
  out.add(special_stencil(registers_of(operation(*first).result) == 2
                              ? Special::save_exec
                              : Special::save_exec_low),
          begin);
  for (auto &[stencil, fill] : moves) {
    fill.place(Hole::leave) = leave(first, on);
    out.add(*stencil, fill);
  }
  come_back_at(first + length);
  return length;
}

/// A stub that goes to the interpreter's handler of `i`.
Label Batch::leave(const Inst *i, bool on) {
  wanted.push_back({out.new_label(), Special::leave, i, on});
  return wanted.back().label;
}

/// The stencil for `i`; null if the interpreter has to execute it.
const Stencil *Batch::choose(const Inst *i, bool on) const {
  const Stencil *stencil =
      wide ? choose_wave_stencil(*i) : choose_stencil(*i, on);
  if (stencil && takes_direct_target(*i) && !i->target.load())
    stencil = is_call(*i) ? nullptr : &special_stencil(Special::late_branch);
  return stencil;
}

/// Code goes on behind `i` when the interpreter or other compiled code comes
/// there.
void Batch::come_back_at(const Inst *i) {
  if (std::find(reentered.begin(), reentered.end(), i) == reentered.end())
    reentered.push_back(i);
}

/// Where the code of `i` goes from there, in `fill`.
void Batch::connect(const Inst *i, bool on, Filling &fill) {
  const unsigned k = unsigned(i - first);
  fill.place(Hole::leave) = leave(i, on);
  if (wide && takes_direct_target(*i) && i->target.load())
    fill.place(Hole::now_on) = head_label(i->target.load(), on);
  if (writes_exec(*i)) {
    fill.place(Hole::now_on) = labels[ON][k + 1];
    fill.place(Hole::now_off) = labels[OFF][k + 1];
    if (!wide) {
      wanted.push_back({out.new_label(), Special::dispatch, i + 1, on});
      fill.place(Hole::dispatch) = wanted.back().label;
    }
    // Where the interpreter comes back from a part for all lanes.
    come_back_at(i + 1);
  }
  if (is_conditional(*i)) {
    wanted.push_back({out.new_label(),
                      !i->target.load() ? Special::late_branch
                      : wide            ? Special::go
                                        : Special::branch,
                      i, on});
    fill.place(Hole::taken) = wanted.back().label;
    // Where a loop ends that another compiler has made better code of.
    come_back_at(i + 1);
  }
  // The interpreter has shorter ways for some accesses of a wave.
  if (wide && i->kind == MicroOpKind::operation &&
      operation(*i).form == Form::memory)
    come_back_at(i + 1);
}

/// Stores the literal of `i` where the routine for `i` reads it.
void Batch::put_literal(const Inst *i) {
  if (wide && reads_literal_slot(*i))
    out.add(special_stencil(Special::put_literal, Lanes::any),
            filling(i, true));
}

/// Appends the code of `i`; returns of how many micro-ops it is.
unsigned Batch::micro_op(const Inst *i, bool on) {
  if (!wide && !on && is_nothing_without_lane(*i))
    return 1;
  Filling fill = filling(i, on);
  const Stencil *stencil = choose(i, on);
  if (stencil && BlockCode::fits(*stencil, fill)) {
    put_literal(i);
    caches += fill.number(Hole::cache) != 0;
    connect(i, on, fill);
    out.add(*stencil, fill);
    return 1;
  }
  out.jump(leave(i, on));
  const unsigned size = i->kind == MicroOpKind::indexed ? 2 : 1;
  if (!ends_block(i[size - 1]))
    come_back_at(i + size);
  return size;
}

Filling Batch::filling(const Inst *i, bool on) {
  Filling fill;
  const Operand literal = wide ? slot_operand(SLOT_LITERAL) : LITERAL;
  auto offset = [&](Operand operand) {
    return i64(operand == LITERAL ? literal : operand & ~ROW);
  };
  fill.number(Hole::dst) = offset(i->dst);
  fill.number(Hole::src0) = offset(i->src[0]);
  fill.number(Hole::src1) = offset(i->src[1]);
  fill.number(Hole::src2) = offset(i->src[2]);
  fill.number(Hole::sdst) = offset(i->sdst);
  fill.number(Hole::scond) = offset(i->scond);
  fill.number(Hole::offset) = i64(i->imm);
  fill.number(Hole::length) = i->length;
  fill.value(Hole::imm) = i->imm;
  fill.value(Hole::inst) = reinterpret_cast<u64>(i);
  fill.value(Hole::epoch) = reinterpret_cast<u64>(epoch);
  for (unsigned k = 0; k < 3; ++k) {
    const Signs64 signs = signs_of_source(*i, k);
    fill.values[unsigned(Hole::keep0) - unsigned(Hole::imm) + k] = signs.keep;
    fill.values[unsigned(Hole::flip0) - unsigned(Hole::imm) + k] = signs.flip;
  }
  if (i->kind == MicroOpKind::count || i->kind == MicroOpKind::count_access) {
    const u32 number = numbered_block(*i);
    fill.number(Hole::executions) =
        i64(number * sizeof(Executions)); // State::executions is an array
    fill.number(Hole::room) = 64 - operation(*i).memory.bytes;
  }
  if (const Routine routine = wide ? choose_routine(*i, !on) : nullptr) {
    fill.value(Hole::handler) = reinterpret_cast<u64>(routine);
    if (operation(*i).form == Form::memory &&
        !is_load(operation(*i).memory.access))
      fill.number(Hole::dst) = offset(i->src[2]);
  }
  if (i->kind == MicroOpKind::operation) {
    const Operation &op = operation(*i);
    if (jit::has_inline_cache(op.memory)) {
      const bool write = op.form == Form::memory && !is_load(op.memory.access);
      const u32 number = jit::inline_cache_class(op.memory.bytes, write) *
                             State::CACHES_PER_CLASS +
                         caches % State::CACHES_PER_CLASS;
      fill.number(Hole::cache_number) = number;
      fill.number(Hole::cache) = i64(offsetof(State, inline_caches) +
                                     number * sizeof(State::InlineCache));
    }
    if (saves_address_behind(*i)) // of the next instruction
      fill.value(Hole::imm) = code.begin() + i->pc + 4;
  }
  if (const Inst *to = i->target.load()) {
    fill.value(Hole::target) = reinterpret_cast<u64>(to);
    if (!wide)
      fill.value(Hole::target_handler) =
          reinterpret_cast<u64>(&to->fn[on ? ONE : NONE]);
  }
  return fill;
}

void Batch::add_entries() {
  for (const Inst *inst : reentered) {
    Entry entry{inst, {}};
    const size_t k = size_t(inst - first);
    for (bool on : {false, true}) {
      Filling fill;
      fill.value(Hole::epoch) = reinterpret_cast<u64>(epoch);
      fill.place(Hole::leave) = leave(inst, on);
      entry.at[on] = out.new_label();
      out.place(entry.at[on]);
      out.add(special_stencil(Special::entry, wide ? Lanes::any : Lanes::first),
              fill);
      out.jump(labels[on][k]);
    }
    entries.push_back(entry);
  }
}

void Batch::stubs() {
  while (!wanted.empty()) { // a stub may want another
    const Stub stub = wanted.back();
    wanted.pop_back();
    out.place(stub.label);
    if (stub.special == Special::leave) {
      add_leave(stub.inst, stub.on);
      continue;
    }
    Filling fill = filling(stub.inst, stub.on);
    if (stub.special == Special::late_branch)
      fill.place(Hole::leave) = leave(stub.inst, stub.on);
    if (stub.special == Special::go)
      fill.place(Hole::now_on) = head_label(stub.inst->target.load(), stub.on);
    out.add(special_stencil(stub.special, stub.special == Special::go
                                              ? Lanes::any
                                              : Lanes::first),
            fill);
  }
}

/// The ways to the interpreter's handlers of `i` from one stream.
void Batch::add_leave(const Inst *i, bool on) {
  Inst original = *i;
  assign_handlers(original, best_level());
  auto add = [&](Shape shape) {
    Filling fill = filling(i, on);
    fill.value(Hole::handler) = reinterpret_cast<u64>(original.fn[shape]);
    out.add(special_stencil(Special::leave), fill);
  };
  if (!wide || on)
    return add(wide ? FULL : on ? ONE : NONE);
  Filling fill;
  const Label one = fill.place(Hole::now_on) = out.new_label(),
              none = fill.place(Hole::now_off) = out.new_label();
  out.add(special_stencil(Special::by_shape, Lanes::any), fill);
  add(SOME);
  out.place(one);
  add(ONE);
  out.place(none);
  add(NONE);
}

/// Notes where control went from `i`, and where it will come back to.
void Batch::follow(const Inst *i) {
  if (const Inst *to = i->target.load())
    successors.push_back(to);
  if (saves_address_behind(*i)) {
    const u64 back = code.begin() + i->pc + 4;
    if (code.visited(back))
      successors.push_back(code.find(back));
  }
}

} // namespace gpuexec::emulator::amdgpu::baseline
