//===-- emulator/amdgpu/jit/side_exits.h - Leaving compiled code ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A side exit stores every dirty register, EXEC, its shape and the rest of the
// time slice to State and calls the handler of the next instruction. Exits
// share their stores: an exit stores the registers that became dirty since the
// previous exit in the code, and branches to that exit's stores for the others.
// (If each exit stored all registers, most of a region's IR would be exits.)
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_SIDE_EXITS_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_SIDE_EXITS_H

#include "emulator/amdgpu/jit/register_file.h"

#include <deque>
#include <map>
#include <string>

namespace gpuexec::emulator::amdgpu::jit {

class SideExits {
public:
  SideExits(Builder &builder, RegisterFile &registers);
  /// Emits the load of State::budget.
  void load_budget();
  /// Emits the subtraction of a block's instructions from the time slice.
  /// Returns what is left of the slice.
  Value *pay(u32 instructions);

  enum class To {
    interpreter, // the interpreter's own handler executes `at`. (The current
                 // handler may be this compiled code, which would leave again.)
    any,         // the current handler, interpreted or compiled, unless the
                 // time slice is over: the profiler must see where waves leave
                 // compiled code for code that is not
    wide,        // more than one lane is active: EXEC is in State
    stop,        // the time slice is over
  };
  /// Returns a block that stores the registers of this position and goes to
  /// `at`.
  Block *exit(const Inst *at, To to);
  /// Ends the block: the interpreter executes `at`. The summary counts `what`.
  void leave(const Inst *at, const char *what);
  /// Ends the block: the current handler executes `next`.
  void leave_for(const Inst *next);
  /// Like the other leave_for(), after State was given all registers and the
  /// block's instructions were subtracted from the slice. `next`: an Inst's
  /// address, known at run time.
  void leave_for(Value *next);

  /// Fills the blocks that all exits end in.
  void finish();
  /// "; left for s_endpgm x2, ...", for messages.
  std::string summary() const;
  /// Where leave_for() went.
  const std::set<const Inst *> &left_for() const { return others; }

private:
  /// A block that stores registers, and goes on to another one that stores the
  /// rest.
  struct Tail {
    Block *block;
    RegisterFile::Dirty stored; // by this one and those behind it
    const Tail *next;           // null: the common end
  };
  Block *tail();
  void call_handler(Value *inst, Value *shape);
  void put_budget();
  void put_exec(bool on);
  void go_to_resume(bool on);
  void go_to(bool on);
  void end_slice();

  Builder &b;
  RegisterFile &registers;
  llvm::AllocaInst *budget;
  Block *wide, *out[2], *away[2]; // by whether the lane is on
  std::deque<Tail> tails;
  const Tail *last[2];           // the one made last
  std::map<u64, Block *> cached; // of the registers' version
  unsigned version = 0;
  std::map<std::string, unsigned> left;
  std::set<const Inst *> others;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_SIDE_EXITS_H
