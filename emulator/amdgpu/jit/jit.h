//===-- emulator/amdgpu/jit/jit.h - Interface of the JIT --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The JIT compiles a region: code that is hot in a wave with one active lane.
// Compiled code is a handler like any other (state.h): `fn[ONE]` and `fn[NONE]`
// of some blocks' first instructions are patched to enter it, and it leaves by
// a tail call to the next instruction's handler. The JIT is a shared library of
// its own, which is opened when the first region gets hot. The rest of the
// emulator uses it through this header and places the code in memory
// (code_memory.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_JIT_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_JIT_H

#include "emulator/amdgpu/decode/state.h"
#include "emulator/amdgpu/jit/compiled_code.h"

#include <map>
#include <vector>

namespace gpuexec::emulator::amdgpu::jit {

/// Which of LLVM's two pipelines compiles. The quick one takes about 0.04 ms
/// for an instruction of the GPU. The optimising one takes ten times as long;
/// its code is twice as fast.
enum class Tier : u8 { quick, optimised };
inline constexpr unsigned TIERS = 2;

/// What to compile.
struct Request {
  Tier tier = Tier::quick;
  const Inst *head = nullptr;     // entry: a decoded block's first instruction
  u32 lane = 0;                   // the only lane that is ever on
  bool on = true;                 // at the head
  bool linear_scratch = true;     // State::word_stride == 4; only of lane 0
  u64 code_base = 0;              // State::code_base of its code
  const u64 *constants = nullptr; // State::constants, filled
  /// The first instruction of the block at `pc` (an address), null if there is
  /// no code. Called while compiling only.
  const Inst *(*find)(void *context, u64 pc) = nullptr;
  /// Whether control has been at that block.
  bool (*visited)(void *context, u64 pc) = nullptr;
  void *context = nullptr;
  /// The code that may belong to the region: first instructions of blocks and
  /// instructions behind conditional branches that control came to at least
  /// `warm_from` times, and how often it did. Null: all code. Where too much
  /// code is warm, only the hotter part is compiled, or nothing.
  const std::map<const Inst *, u64> *warm = nullptr;
  u64 warm_from = 0;
  u32 worth = ~0u;   // a region of more instructions is postponed
  u32 largest = ~0u; // instructions at which the region is cut off
  /// With statistics: the code depends on the numbers of basic blocks, which
  /// differ from run to run.
  bool counting = false;
  bool verbose = false; // say on stderr what was compiled
};

/// A place where compiled code can be entered.
struct Entry {
  const Inst *inst;
  Shape shape; // ONE or NONE
  auto operator<=>(const Entry &) const = default;
};

/// The result of a compilation.
struct Result {
  CompiledCode code; // empty: not worth compiling, or postponed
  u32 postponed = 0; // not 0: the region has more instructions than `worth`
  std::vector<Entry> entries;         // where the handler may be put
  std::vector<const Inst *> covered;  // first instructions of its blocks
  std::vector<const Inst *> left_for; // cold code that it leaves for
};

class Jit;

/// The library's exports (C linkage, so that dlsym finds them).
struct Exports {
  /// GPUEXEC_JIT_LAYOUT (CMakeLists.txt) where the library was built: it
  /// changes with every header that the emulator and the library share.
  u64 layout;
  Jit *(*create)();
  void (*destroy)(Jit *);
  /// Not thread-safe.
  Result (*compile)(Jit *, const Request &);
};
inline constexpr const char *LIBRARY = "libgpuexec-emulator-jit.so";
inline constexpr const char *ENTRY = "gpuexec_emulator_jit";

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_JIT_H
