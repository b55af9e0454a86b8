//===-- emulator/amdgpu/jit/side_exits.h - Leaving compiled code -*- C++ -*-===//
// Wherever compiled code is left, State holds every register, EXEC, the shape
// of EXEC and the rest of the time slice, and the handler of the next
// instruction is called. A side exit saves all of that by itself, so that exits
// need nothing of each other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_SIDE_EXITS_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_SIDE_EXITS_H

#include "emulator/amdgpu/jit/register_file.h"

#include <map>
#include <string>

namespace gpuexec::emulator::amdgpu::jit {

class SideExits {
public:
  SideExits(Builder &builder, RegisterFile &registers);
  /// Reads State::budget, where the builder is.
  void load_budget();
  /// Takes a block's instructions off the time slice; returns what is left.
  Value *pay(u32 instructions);

  enum class To {
    interpreter, // the handler that is never replaced, or a block that begins
                 // with what cannot be compiled would be entered for ever
    any,         // whatever executes the instruction by now
    wide,        // more lanes are on: EXEC is in State
    stop,        // the time slice is over
  };
  /// A block that leaves for `at` with the registers as they are here.
  Block *exit(const Inst *at, To to);
  /// Ends the block: the interpreter does `at`. `what` is counted.
  void leave(const Inst *at, const char *what);
  /// Ends the block: whatever executes `next` does so.
  void leave_for(const Inst *next);

  /// Fills the blocks that all exits end in.
  void finish();
  /// "; left for s_endpgm x2, ...", for people.
  std::string summary() const;

private:
  void call_handler(Value *inst, Value *shape);
  void put_exec(bool on);

  Builder &b;
  RegisterFile &registers;
  llvm::AllocaInst *budget;
  Block *wide, *out[2], *stopped[2]; // by whether the lane is on
  std::map<u64, Block *> cached;     // of the registers' version
  unsigned version = 0;
  std::map<std::string, unsigned> left;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_SIDE_EXITS_H
