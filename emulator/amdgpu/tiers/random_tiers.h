//===-- emulator/amdgpu/tiers/random_tiers.h - Tiers at random --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests (GPUEXEC_EMULATOR_JIT=random): waves run in slices of random
// length, and at each sample chance decides what executes the sampled block
// from then on. Whatever was compiled for a block stays in memory, so it is
// exchanged as often as the block is sampled, although LLVM compiles seldom.
// Each decision is a hash of the seed and of what it is about (which sample of
// which block, which slice of which wave): a seed repeats a run as far as the
// order of its threads does.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_TIERS_RANDOM_TIERS_H
#define GPUEXEC_EMULATOR_AMDGPU_TIERS_RANDOM_TIERS_H

#include "emulator/amdgpu/code/code.h"
#include "emulator/amdgpu/jit/jit.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <vector>

namespace gpuexec::emulator::amdgpu::jit {

/// Not thread-safe, but for slice().
class RandomTiers {
public:
  /// What executes a block. `kept` is LLVM's code from an earlier process.
  enum class Executor : u8 { interpreter, baseline, quick, optimised, kept };
  static constexpr unsigned EXECUTORS = 5;
  static const char *name_of(Executor executor);

  struct Mode {
    u64 seed = 0;
    bool is_given = false; // if not, the first sample reports the seed
    bool verbose = false;  // says on stderr what was decided
  };
  /// Parses a value of GPUEXEC_EMULATOR_JIT, random[:SEED][,verbose]. Draws the
  /// seed if there is no SEED. None: the value says something else.
  static std::optional<Mode> parse(llvm::StringRef value);

  explicit RandomTiers(const Mode &mode) : mode(mode) {}

  /// How many instructions slice number `number` of a wave may have.
  i64 slice(const State &state, u64 number) const;

  /// What is decided at a sample.
  struct Choice {
    Executor executor;
    bool only_warm; // for LLVM: the region has warm code alone
    u32 most;       // for a compiler: instructions of the region
    u64 chance;     // for give()
  };
  /// At the next sample of the block that begins with `head`.
  Choice choose(const Inst *head);

  /// True if LLVM may compile more now: its time is limited, and grows with the
  /// number of samples.
  bool may_compile() const;
  /// LLVM was asked for code in this tier, and has made `bytes` bytes of it.
  void compiled(Tier tier, size_t bytes);

  /// Adds code for an entry, which give() may choose from now on.
  void add(Code &code, const Entry &entry, Executor executor, Handler handler);

  /// Puts what was chosen into the handlers of the block that begins with
  /// `head`: the interpreter's where there is no such code. Entries inside the
  /// block get any code that there is for them.
  void give(const Inst *head, const Choice &choice) const;

private:
  void report() const;

  const Mode mode;
  struct Place {
    const Inst *inst;
    Shape shape;
    Handler handlers[EXECUTORS] = {}; // null: none
  };
  std::map<const Inst *, std::vector<Place>> places; // by the block's head
  std::map<const Inst *, u64> samples;               // by head
  u64 all_samples = 0, spent = 0; // `spent`: bytes that LLVM has made
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_TIERS_RANDOM_TIERS_H
