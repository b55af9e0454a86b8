//===-- emulator/amdgpu/tiers/hotness_profiler.h - Finds hot code ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wave that uses up its time slice stops at the head of the block it was
// going to. The profiler counts these samples, which cost nothing else. The
// baseline compiler translates a head at its first sample, on the wave's own
// thread. Another thread gives a head that was sampled often enough to LLVM and
// replaces the handlers of the region's entries; waves notice nothing. LLVM's
// library is opened when it is first needed. For tests, random_tiers.h decides.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_TIERS_HOTNESS_PROFILER_H
#define GPUEXEC_EMULATOR_AMDGPU_TIERS_HOTNESS_PROFILER_H

#include "emulator/amdgpu/baseline/compiler.h"
#include "emulator/amdgpu/code/code.h"
#include "emulator/amdgpu/code_cache/code_cache.h"
#include "emulator/amdgpu/jit/code_memory.h"
#include "emulator/amdgpu/jit/jit.h"
#include "emulator/amdgpu/tiers/compiling.h"
#include "emulator/amdgpu/tiers/hot_heads.h"
#include "emulator/amdgpu/tiers/random_tiers.h"
#include "support/thread.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

namespace gpuexec::emulator::amdgpu::jit {

/// Thread-safe.
class HotnessProfiler {
public:
  /// `cpu`: the processor that all code is for; `kept`: where code is kept.
  HotnessProfiler(Compiling compiling, const std::string &cpu,
                  const CodeCacheChoice &kept);
  ~HotnessProfiler(); // no wave may run in compiled code any more

  /// Called when a wave has used up its time slice of `length` instructions and
  /// stopped at state.resume. `alone` is the wave's own counter: consecutive
  /// samples with at most one active lane. Returns true if the code there is
  /// settled: LLVM's optimiser has compiled it.
  bool sample(State &state, const std::shared_ptr<Code> &code, unsigned &alone,
              i64 length);
  /// The longest slice that the wave may have, in instructions. In settled code
  /// there is no limit but the machine's: a long slice counts as several
  /// samples. `number`: how many slices the wave has used up.
  i64 longest_slice(const State &state, bool settled, u64 number) const {
    return at_once   ? SHORT_SLICE
           : random  ? random->slice(state, number)
           : settled ? INT64_MAX
                     : HotHeads::SAMPLED_SLICE;
  }

private:
  static constexpr i64 SHORT_SLICE = 40;
  struct Job {
    std::shared_ptr<Code> code;
    Request request;
    const std::atomic<u64> *epoch; // AddressSpace::epoch_counter()
    bool only_warm = true;         // Request::warm, if that is known
  };
  using Clock = HotHeads::Clock;
  using Places = std::vector<const Inst *>;
  using BlockPasses = std::map<const Inst *, u64>; // how often control came
  void work();
  void finished();
  void sample_at_random(const State &state, const std::shared_ptr<Code> &code,
                        bool is_alone, std::unique_lock<std::mutex> &lock);
  Job job_for(const State &state, const std::shared_ptr<Code> &code,
              Tier tier) const;
  bool enqueue(Job job, std::unique_lock<std::mutex> &lock);
  void load_kept(const State &state, const std::shared_ptr<Code> &code);
  void compile_at_once(const State &state, const std::shared_ptr<Code> &code,
                       unsigned most);
  BlockPasses warm_blocks(const Job &job, u64 warm_from) const;
  std::optional<Result> compile(Job &job, u64 warm_from,
                                const BlockPasses &warm);
  void use(const Job &job, const Result &result);
  u64 passes_of(const Places &places) const;
  void compile_what_is_new(const State &state,
                           const std::shared_ptr<Code> &code);
  Job next_job();
  void install(Code &code, RandomTiers::Executor executor,
               const std::vector<Entry> &entries,
               const std::vector<u32> &handlers, const char *placed);

  std::mutex mutex; // of everything below
  std::condition_variable wake, done;
  HotHeads heads{Clock::now()};
  std::vector<std::shared_ptr<Code>>
      keep; // alive: compiled code jumps into its blocks
  std::deque<Job> jobs;
  CodeMemory memory;                            // of LLVM's code
  std::optional<code_cache::CodeCache> cache;   // of LLVM's code; constant
  std::unique_ptr<baseline::Compiler> baseline; // when the first head is hot
  std::optional<RandomTiers> random;            // GPUEXEC_EMULATOR_JIT=random
  unsigned unfinished = 0; // jobs in the queue and the one in work
  Thread thread;
  /// Of the compiling thread, which uses State::constants alone. A member, so
  /// that a leak check always finds a pointer to it.
  std::unique_ptr<State> constants;
  std::atomic<bool> enabled = true; // read without the mutex
  bool verbose = false, eager = false, at_once = false, stopping = false;
  Jit *jit = nullptr;
  const Exports *exports = nullptr;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_TIERS_HOTNESS_PROFILER_H
