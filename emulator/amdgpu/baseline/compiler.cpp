//===-- emulator/amdgpu/baseline/compiler.cpp - Machine code at once ------===//
#include "emulator/amdgpu/baseline/compiler.h"
#include "emulator/amdgpu/baseline/block_code.h"
#include "emulator/amdgpu/baseline/choice.h"
#include "emulator/amdgpu/decode/block_end.h"
#include "emulator/amdgpu/decode/whole_registers.h"
#include "emulator/amdgpu/interpret/level.h"
#include "emulator/amdgpu/jit/inline_cache.h"

#include <cstring>
#include <deque>
#include <sys/mman.h>

namespace gpuexec::emulator::amdgpu::baseline {

/// Address space for code; pages of it are used as they are needed. Jumps and
/// references inside it have 32 bits.
static constexpr size_t ARENA = 64 << 20, PAGE = 4096;

static size_t round_up(size_t size) { return (size + PAGE - 1) & ~(PAGE - 1); }

Compiler::Compiler() {
  if (!__builtin_cpu_supports("x86-64-v3") ||
      std::strcmp(best_level().name, "v2") == 0)
    return;
  void *memory = mmap(nullptr, ARENA, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return;
  const Constants constants = stencil_constants();
  const size_t size = round_up(constants.size + 1);
  if (mprotect(memory, size, PROT_READ | PROT_WRITE)) {
    munmap(memory, ARENA);
    return;
  }
  std::memcpy(memory, constants.bytes, constants.size);
  mprotect(memory, size, PROT_READ);
  begin = static_cast<char *>(memory);
  next = begin + size;
  end = begin + ARENA;
}

Compiler::~Compiler() {
  if (begin)
    munmap(begin, ARENA);
}

namespace {

/// One call of Compiler::compile().
class Batch {
public:
  Batch(Code &code, const std::atomic<u64> *epoch, unsigned &caches,
        std::map<const Inst *, u64> &counters, u64 address, u64 constants)
      : code(code), epoch(epoch), caches(caches), counters(counters),
        out(address, constants) {}

  void block(const Inst *head);
  unsigned translated() const { return count; }
  /// The blocks that control went to from here.
  std::deque<const Inst *> successors;
  /// Where compiled code may be entered: the entries for Shape ONE and NONE.
  struct Entry {
    const Inst *inst;
    Label at[2]; // off, on
  };
  std::vector<Entry> entries;
  BlockCode &finish() {
    out.finish();
    return out;
  }

private:
  void stream(const Inst *head, unsigned size, bool on);
  void count_passes(const Inst *i);
  unsigned whole_registers(const Inst *first, bool on);
  unsigned micro_op(const Inst *i, bool on);
  Filling filling(const Inst *i, bool on);
  Label leave(const Inst *i, bool on);
  void add_entries();
  void stubs();
  void follow(const Inst *i);

  Code &code;
  const std::atomic<u64> *epoch;
  unsigned &caches;
  std::map<const Inst *, u64> &counters;
  BlockCode out;
  unsigned count = 0;
  std::vector<Label> labels[2];        // of the block's micro-ops; off, on
  std::vector<const Inst *> reentered; // micro-ops behind those left out
  const Inst *first = nullptr;
  struct Stub {
    Label label;
    Special special;
    const Inst *inst;
    bool on;
  };
  std::vector<Stub> wanted;
};

void Batch::block(const Inst *head) {
  unsigned size = 1;
  while (!ends_block(head[size - 1]))
    ++size;
  first = head;
  reentered = {head};
  wanted.clear();
  for (std::vector<Label> &stream : labels) {
    stream.clear();
    for (unsigned k = 0; k <= size; ++k)
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

void Batch::stream(const Inst *head, unsigned size, bool on) {
  for (unsigned k = 0; k < size;) {
    out.place(labels[on][k]);
    if (!k || is_conditional(head[k - 1]))
      count_passes(head + k);
    unsigned done = whole_registers(head + k, on);
    if (!done)
      done = micro_op(head + k, on);
    for (unsigned more = 1; more < done; ++more) // never jumped to
      out.place(labels[on][k + more]);
    k += done;
  }
  out.place(labels[on][size]); // nobody falls out of a block
}

void Batch::count_passes(const Inst *i) {
  Filling fill;
  fill.value(Hole::passes) = reinterpret_cast<u64>(&counters[i]);
  out.add(special_stencil(Special::passed), fill);
}

static const Stencil &move_register(const Inst &inst) {
  return special_stencil(is_load(operation(inst).memory.access)
                             ? Special::load_register
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
  if (on) // where the interpreter comes back
    reentered.push_back(first + length);
  return length;
}

/// A stub that goes to the interpreter's handler of `i`.
Label Batch::leave(const Inst *i, bool on) {
  wanted.push_back({out.new_label(), Special::leave, i, on});
  return wanted.back().label;
}

/// Appends the code of `i`; returns of how many micro-ops it is.
unsigned Batch::micro_op(const Inst *i, bool on) {
  const unsigned k = unsigned(i - first);
  if (!on && is_nothing_without_lane(*i))
    return 1;
  Filling fill = filling(i, on);
  const Stencil *stencil = choose_stencil(*i, on);
  const bool has_target = i->target.load() != nullptr;
  if (stencil && takes_direct_target(*i) && !has_target)
    stencil = is_call(*i) ? nullptr : &special_stencil(Special::late_branch);
  if (stencil && BlockCode::fits(*stencil, fill)) {
    caches += fill.number(Hole::cache) != 0;
    fill.place(Hole::leave) = leave(i, on);
    if (writes_exec(*i)) {
      fill.place(Hole::now_on) = labels[true][k + 1];
      fill.place(Hole::now_off) = labels[false][k + 1];
      wanted.push_back({out.new_label(), Special::dispatch, i + 1, on});
      fill.place(Hole::dispatch) = wanted.back().label;
      // Where the interpreter comes back from a part for all lanes.
      if (on)
        reentered.push_back(i + 1);
    }
    if (is_conditional(*i)) {
      wanted.push_back({out.new_label(),
                        has_target ? Special::branch : Special::late_branch, i,
                        on});
      fill.place(Hole::taken) = wanted.back().label;
      // Where a loop ends that another compiler has made better code of.
      if (on)
        reentered.push_back(i + 1);
    }
    out.add(*stencil, fill);
    return 1;
  }
  // The interpreter's turn; compiled code goes on behind it.
  out.jump(leave(i, on));
  const unsigned size = i->kind == MicroOpKind::indexed ? 2 : 1;
  if (!ends_block(i[size - 1]) && on)
    reentered.push_back(i + size);
  return size;
}

Filling Batch::filling(const Inst *i, bool on) {
  Filling fill;
  auto offset = [](Operand operand) { return i64(operand & ~ROW); };
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
    fill.value(Hole::target_handler) =
        reinterpret_cast<u64>(&to->fn[on ? ONE : NONE]);
  }
  return fill;
}

void Batch::add_entries() {
  for (const Inst *inst : reentered) {
    Entry entry{inst, {}};
    const unsigned k = unsigned(inst - first);
    for (bool on : {false, true}) {
      Filling fill;
      fill.value(Hole::epoch) = reinterpret_cast<u64>(epoch);
      fill.place(Hole::leave) = leave(inst, on);
      entry.at[on] = out.new_label();
      out.place(entry.at[on]);
      out.add(special_stencil(Special::entry), fill);
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
    Filling fill = filling(stub.inst, stub.on);
    Inst original = *stub.inst;
    assign_handlers(original, best_level());
    fill.value(Hole::handler) =
        reinterpret_cast<u64>(original.fn[stub.on ? ONE : NONE]);
    if (stub.special == Special::late_branch)
      fill.place(Hole::leave) = leave(stub.inst, stub.on);
    out.add(special_stencil(stub.special), fill);
  }
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

} // namespace

std::map<const Inst *, u64> Compiler::passed(u64 times) const {
  std::map<const Inst *, u64> found;
  for (const auto &[inst, count] : counters)
    if (const u64 now = __atomic_load_n(&count, __ATOMIC_RELAXED); now >= times)
      found.emplace(inst, now);
  return found;
}

unsigned Compiler::compile(Code &code, const Inst *head,
                           const std::atomic<u64> *epoch, unsigned most,
                           std::vector<Placed> *placed) {
  if (!usable() || compiled.count(head))
    return 0;
  Batch batch(code, epoch, caches, counters, reinterpret_cast<u64>(next),
              reinterpret_cast<u64>(begin));
  batch.successors.push_back(head);
  while (!batch.successors.empty() && batch.translated() < most) {
    const Inst *block = batch.successors.front();
    batch.successors.pop_front();
    if (block && compiled.insert(block).second)
      batch.block(block);
  }
  BlockCode &out = batch.finish();
  const size_t size = round_up(out.bytes().size());
  if (size > size_t(end - next) || mprotect(next, size, PROT_READ | PROT_WRITE))
    return 0; // it stays with the interpreter
  std::memcpy(next, out.bytes().data(), out.bytes().size());
  if (mprotect(next, size, PROT_READ | PROT_EXEC))
    return 0;
  next += size;
  for (const Batch::Entry &entry : batch.entries) {
    Inst original = *entry.inst;
    assign_handlers(original, best_level());
    for (bool on : {false, true}) {
      const Shape shape = on ? ONE : NONE;
      const auto handler =
          reinterpret_cast<Handler>(out.address_of(entry.at[on]));
      if (placed)
        placed->push_back({{entry.inst, shape}, handler});
      // Another compiler's code is better.
      if (entry.inst->fn[shape] != original.fn[shape])
        continue;
      __atomic_store_n(const_cast<Handler *>(&entry.inst->fn[shape]), handler,
                       __ATOMIC_RELEASE);
    }
  }
  return batch.translated();
}

} // namespace gpuexec::emulator::amdgpu::baseline
