//===-- emulator/amdgpu/hotness_profiler.h - Finds hot code -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wave that uses up its time slice stops at the head of the block it was
// going to. The profiler counts these samples, which cost nothing else. The
// baseline compiler translates a head at its first sample, on the wave's own
// thread. Another thread gives a head that was sampled often enough to LLVM and
// replaces the handlers of the region's entries; waves notice nothing. LLVM's
// library is opened when it is first needed. For tests, random_tiers.h decides.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_HOTNESS_PROFILER_H
#define GPUEXEC_EMULATOR_AMDGPU_HOTNESS_PROFILER_H

#include "emulator/amdgpu/baseline/compiler.h"
#include "emulator/amdgpu/code.h"
#include "emulator/amdgpu/code_cache/code_cache.h"
#include "emulator/amdgpu/hot_heads.h"
#include "emulator/amdgpu/isa.h"
#include "emulator/amdgpu/jit/code_memory.h"
#include "emulator/amdgpu/jit/jit.h"
#include "emulator/amdgpu/random_tiers.h"
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
  /// stopped at state.resume. `alone` belongs to the wave; it counts the
  /// samples in a row in which at most one lane was active. Returns true if the
  /// code there is settled: LLVM has compiled it, and samples tell little more.
  bool sample(State &state, const std::shared_ptr<Code> &code, unsigned &alone,
              i64 length);
  /// The longest slice that the wave may have, in instructions: behind settled
  /// code what the machine gives it. A long slice counts as several samples.
  /// `number` counts the slices that the wave has used up.
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
  std::map<const Inst *, u64> warm_blocks(const Job &job, u64 warm_from) const;
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
      keep; // compiled code jumps into its blocks
  std::deque<Job> jobs;
  CodeMemory memory;                            // of LLVM's code
  std::optional<code_cache::CodeCache> cache;   // of LLVM's code; constant
  std::unique_ptr<baseline::Compiler> baseline; // when the first head is hot
  std::optional<RandomTiers> random;            // only then
  unsigned unfinished = 0; // jobs in the queue and the one in work
  Thread thread;
  /// The thread's; only State::constants is used. A member, because a leak
  /// check may run while the only pointer is in a register of the thread.
  std::unique_ptr<State> constants;
  std::atomic<bool> enabled = true; // read without the mutex
  bool verbose = false, eager = false, at_once = false, stopping = false;
  Jit *jit = nullptr;
  const Exports *exports = nullptr;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_HOTNESS_PROFILER_H
