//===-- emulator/amdgpu/jit/traces.h - Blocks of compiled code --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trace is the translation of code that begins at one instruction, with the
// lane either active or inactive; code that runs in both ways is translated
// twice. Where one trace branches to another, State holds every register but
// those of `Unwritten`. The class keeps the traces that are still to be
// translated and the entries of the compiled code.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_TRACES_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_TRACES_H

#include "emulator/amdgpu/jit/side_exits.h"

#include "llvm/ADT/SetVector.h"

#include <deque>
#include <map>

namespace gpuexec::emulator::amdgpu::jit {

/// An instruction, and whether the lane is on there.
struct Point {
  const Inst *inst;
  bool on;
  u64 key() const { return reinterpret_cast<u64>(inst) | on; }
};

struct Trace {
  Point at;
  Block *block;
  unsigned segment;        // of Liveness
  bool cold = false;       // control has never come to it
  bool translated = false; // if not, it is a side exit
};

/// By Point::key: the registers that State need not hold where a trace begins,
/// because the code holds them or because they are dead. All others are stored
/// in front of every branch to the trace.
using Unwritten = std::map<u64, RegisterFile::Unwritten>;

class Traces {
public:
  /// `unwritten`: as found by an earlier translation.
  Traces(Builder &builder, RegisterFile &registers, SideExits &exits,
         const Unwritten &unwritten)
      : b(builder), registers(registers), exits(exits), unwritten(unwritten) {}

  /// Begins the translation of the trace, or its side exit.
  void begin(const Trace &trace);
  /// After dispatch(): what State need not hold where traces begin.
  const Unwritten &found() const { return arrived; }

  /// The trace at that point. A new one is queued for translation.
  Trace &at(Point point, bool cold = false);
  bool has(Point point) const { return traces.count(point.key()); }
  /// Compiled code can be entered there.
  void add_entry(Point point, bool cold = false);
  size_t count() const { return traces.size(); }
  size_t entry_count() const { return entries.size(); }
  bool has_loop() const { return loops; }

  // The next trace to translate, or null. Those that have run come first.
  Trace *next_hot();
  Trace *next_cold();

  /// Ends the block: the trace follows and inherits the virtual registers.
  void join(Trace &to);
  /// Ends the block as the interpreter's GO does: subtracts the instructions of
  /// the decoded block that ends with `from` from the time slice, and goes on
  /// at `to`. Null: there is no code.
  void go(const Inst *from, const Inst *to, bool cold, const char *what);

  /// Makes side exits of the traces that were not translated.
  void leave_untranslated();
  /// Call it last. Gives each entry a function of its own, which calls the
  /// region with the entry's number. The region then loads the registers that
  /// code behind the entry reads. Ends the block.
  void dispatch();
  Result result() const;

private:
  Builder &b;
  RegisterFile &registers;
  SideExits &exits;
  const Unwritten &unwritten;
  Unwritten arrived;
  void write_for(const Trace &to);
  void forget_dead(const Trace &to);
  void add_handler(u64 number);
  const RegisterFile::Unwritten &unwritten_at(const Trace &trace) const;
  std::map<u64, Trace> traces; // by Point::key; they stay where they are
  std::deque<Trace *> hot, cold;
  llvm::SetVector<Trace *> entries;
  bool loops = false;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_TRACES_H
