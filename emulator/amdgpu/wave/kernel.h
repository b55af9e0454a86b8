//===-- emulator/amdgpu/wave/kernel.h - Kernels and their waves -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An AmdInstructionSet has the code of one processor, a Kernel has its
// descriptor and code, an AmdWave has one wave's State. For the files of this
// folder alone.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_WAVE_KERNEL_H
#define GPUEXEC_EMULATOR_AMDGPU_WAVE_KERNEL_H

#include "emulator/amdgpu/code/code.h"
#include "emulator/amdgpu/interpret/cold_paths.h"
#include "emulator/amdgpu/interpret/level.h"
#include "emulator/amdgpu/tiers/hotness_profiler.h"
#include "emulator/amdgpu/wave/instruction_set.h"
#include "gpu/amd_kernel_descriptor.h"
#include "gpu/amd_processor.h"

#include <map>
#include <mutex>
#include <tuple>

namespace gpuexec::emulator::amdgpu {

using Descriptor = gpu::AmdKernelDescriptor;

/// A processor: the facts by which the registers that a wave starts with
/// differ.
struct Processor {
  const char *name;
  bool architected_flat_scratch; // waves start without scratch registers
  bool packed_ids;               // a thread's x, y and z are all in v0
  unsigned generation = 9;       // 10 to 12: RDNA 1 to 4
  bool is_rdna() const { return generation >= 10; }
  /// AGPRs follow the vector registers at accum_offset.
  bool unified_registers() const {
    return gpu::find_amd_processor(name)->limits.unified_registers;
  }
};
inline constexpr Processor PROCESSORS[] = {
    {"gfx942", true, true},         {"gfx90a", false, true},
    {"gfx9-4-generic", true, true}, {"gfx9-generic", false, false},
    {"gfx1010", false, false, 10},  {"gfx10-1-generic", false, false, 10},
    {"gfx1030", false, false, 10},  {"gfx10-3-generic", false, false, 10},
    {"gfx1100", true, true, 11},    {"gfx11-generic", true, true, 11},
    {"gfx1201", true, true, 12},    {"gfx12-generic", true, true, 12},
};

class AmdInstructionSet;

/// Memory for States. A State is large and a wave touches little of it, so
/// later waves reuse it. Thread-safe.
class StatePool {
public:
  ~StatePool();
  /// Memory for one State, not constructed: zeros, or an earlier wave's State.
  State *take();
  void give(State *s);

private:
  std::mutex mutex;
  std::vector<State *> free;
};

class Kernel;

/// How many VGPRs and AGPRs a kernel uses.
struct VectorRegisters {
  unsigned plain = 0, acc = 0;
};

class AmdWave final : public Wave {
public:
  AmdWave(Kernel &kernel, const Block &block, uint32_t wave);
  ~AmdWave() override;
  Stop run(uint64_t budget) override;
  uint64_t last_run_length() const override {
    return uint64_t(given - state.budget + state.done_of_block);
  }
  const Fault &fault() const override { return failure; }
  uint64_t pc() const override { return state.code_base + state.resume->pc; }
  std::string instruction() const override { return state.code->print(pc()); }
  std::vector<uint64_t> callers() const override;
  bool restart(const Block &block, uint32_t wave) override {
    count = Counters();
    alone = 0;
    settled = false;
    slices_used_up = 0;
    rois.clear();
    failure = Fault();
    const CachesOf before = {state.lds, state.scratch,
                             state.inline_caches_epoch, state.oldest_region};
    start(block, wave);
    if (state.lds == before.lds && state.scratch == before.scratch) {
      state.inline_caches_epoch = before.epoch;
      state.oldest_region = before.oldest_region;
    }
    return true;
  }
  uint64_t active_lanes() const override { return state.exec(); }
  std::optional<Counters> counters() const override;
  std::vector<RegionOfInterest> regions_of_interest() const override;
  std::set<const char *> inexact_instructions() const override;

private:
  /// Scalar registers that a kernel starts with: [0, user_end) and
  /// [system, system_end).
  struct ScalarRegisters {
    unsigned user_end, system, system_end = 0;
  };
  /// What the inline caches of compiled code hold, besides what the launch
  /// determines. Emptying them takes longer than a short wave.
  struct CachesOf {
    const char *lds, *scratch;
    u64 epoch;
    u32 oldest_region;
  };
  void start(const Block &block, uint32_t wave);
  void enter();
  Stop run_in_lockstep();
  void uncount_rest();
  void clear(VectorRegisters vectors);
  void clear_rows(u32 (*rows)[LANES], unsigned used, unsigned before);
  void connect(const Block &block, uint32_t wave);
  ScalarRegisters set_scalars(const Block &block);
  void set_lanes(const Block &block, uint32_t wave);
  unsigned thread_id_registers() const;
  void start_shadow(const Block &block, VectorRegisters vectors,
                    ScalarRegisters scalars);

  Kernel &kernel;
  State &state;
  RegionCache regions;
  Fault failure;
  std::shared_ptr<Code> code; // Kernel::code, or Kernel::watched()
  Counters count;
  std::unique_ptr<ExecutionTable> executions; // with Dispatch::count
  std::vector<Roi> rois;
  std::unique_ptr<definedness::Shadow> shadow; // --check=uninit
  i64 given = 0;                               // the last slice's budget
  // See jit::HotnessProfiler::sample.
  unsigned alone = 0;
  bool settled = false;
  u64 slices_used_up = 0;
  /// Instructions since the last sample, of slices that ended in a sleep: a
  /// wave that calls its host again and again is sampled all the same.
  i64 unsampled = 0;
  bool at_entry = true; ///< it has not run yet
};

class Kernel final : public KernelCode {
public:
  Kernel(AmdInstructionSet &instructions, const Descriptor &descriptor,
         u64 entry, llvm::StringRef name, std::shared_ptr<Code> code);
  const Sizes &sizes() const override { return size; }
  const DeviceWords &words() const override;
  const std::string &name() const override { return label; }
  std::unique_ptr<Wave> make_wave(const Block &block, uint32_t wave) override {
    return std::make_unique<AmdWave>(*this, block, wave);
  }

  AmdInstructionSet &instructions;
  Descriptor descriptor;
  u64 entry;
  std::string label;
  Sizes size;
  VectorRegisters vectors;
  std::shared_ptr<Code> code; // keeps its blocks until the last wave is gone
  /// The kernel's code with added micro-ops; without them if the host has no
  /// memory for that.
  std::shared_ptr<Code> watched(Watch watch);

private:
  std::mutex mutex;
  std::map<Watch, std::shared_ptr<Code>> watched_codes;
};

class AmdInstructionSet final : public InstructionSet {
public:
  AmdInstructionSet(const Processor &processor, Compiling compiling,
                    const CodeCacheChoice &kept)
      : processor(processor), hot(compiling, processor.name, kept),
        coverage(Coverage::from_environment()) {}
  llvm::Expected<std::unique_ptr<KernelCode>>
  load(uint64_t descriptor, llvm::StringRef name,
       AddressSpace &memory) override;
  void forget(uint64_t begin, uint64_t end) override;
  llvm::Expected<std::shared_ptr<Code>> code(u64 begin, u64 end, Watch watch,
                                             bool wave32);

  const Processor &processor;
  StatePool states;
  jit::HotnessProfiler hot; // keeps the Codes that it compiled alive

private:
  std::unique_ptr<Coverage> coverage;
  std::mutex mutex;
  std::map<std::tuple<u64, Watch, bool>, std::shared_ptr<Code>>
      codes; // by begin, watch and wave32
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_WAVE_KERNEL_H
