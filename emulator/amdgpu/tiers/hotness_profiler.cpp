//===-- emulator/amdgpu/tiers/hotness_profiler.cpp - Finds hot code -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/tiers/hotness_profiler.h"

#include "emulator/amdgpu/tiers/jit_library.h"
#include "emulator/machine/environment.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace gpuexec::emulator::amdgpu::jit {

/// The most micro-ops that the baseline compiler translates at one sample.
/// Translating one for waves of many lanes takes three times as long.
static constexpr unsigned MICRO_OPS_PER_SAMPLE = 1000,
                          WAVE_MICRO_OPS_PER_SAMPLE = 200;
/// Multi-lane waves rarely run long with one active lane: compile for one lane
/// only after this many consecutive one-lane samples.
static constexpr unsigned ONE_LANE_SAMPLES_BEFORE_COMPILING = 16;
/// The optimiser gets the blocks that control came to at least 1/32 as often as
/// to the head. Large programs have few of them; the other blocks keep their
/// baseline code.
static constexpr unsigned WARM_SHARE = 32;
static constexpr const char *MODES_VARIABLE = "GPUEXEC_EMULATOR_JIT";

static std::optional<RandomTiers::Mode> random_mode() {
  const char *value = std::getenv(MODES_VARIABLE);
  return value ? RandomTiers::parse(value) : std::nullopt;
}

HotnessProfiler::HotnessProfiler(Compiling compiling, const std::string &cpu,
                                 const CodeCacheChoice &kept) {
  static const std::optional<RandomTiers::Mode> at_random = random_mode();
  static const llvm::StringRef wanted =
      at_random
          ? ""
          : choice_from_environment(
                MODES_VARIABLE, {"0", "off", "1", "on", "verbose", "baseline",
                                 "eager", "random[:SEED][,verbose]"});
  enabled = wanted != "0" && wanted != "off";
  verbose = wanted == "verbose" || (at_random && at_random->verbose);
  eager = wanted == "eager";
  at_once = wanted == "baseline";
  // Modes for tests use a cache on disk only if the user names its folder.
  if (enabled && !at_once && !kept.folder.empty() &&
      ((!eager && !at_random) || kept.is_named) &&
      compiling == Compiling::as_environment_says)
    cache.emplace(kept, cpu, jit_library_path(), verbose);
  if (compiling != Compiling::as_environment_says) {
    eager = compiling == Compiling::eagerly;
    at_once = compiling == Compiling::at_once;
    enabled = eager || at_once;
  } else if (at_random)
    random.emplace(*at_random);
  if (eager)
    heads.be_eager();
}

HotnessProfiler::~HotnessProfiler() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
    jobs.clear();
  }
  wake.notify_all();
  if (thread.joinable())
    thread.join();
  if (jit)
    exports->destroy(jit);
}

/// Which of the baseline compiler's two kinds of code the wave runs; none for a
/// wave whose only lane is not lane 0.
static std::optional<baseline::Waves> waves_of(const State &state) {
  if (state.word_stride != 4)
    return baseline::Waves::of_many_lanes;
  return state.lane4 == 0 ? std::optional(baseline::Waves::of_one_lane)
                          : std::nullopt;
}

/// At a head's first sample: installs code that an earlier process kept, and
/// has the baseline compiler translate the head.
void HotnessProfiler::compile_what_is_new(const State &state,
                                          const std::shared_ptr<Code> &code) {
  const bool wide = waves_of(state) == baseline::Waves::of_many_lanes;
  if (wide && !eager)
    compile_at_once(state, code, WAVE_MICRO_OPS_PER_SAMPLE);
  if (heads.is_known(state.resume))
    return;
  if (cache && !state.counters)
    load_kept(state, code);
  if (eager || !waves_of(state))
    return;
  if (!wide)
    compile_at_once(state, code, MICRO_OPS_PER_SAMPLE);
  heads.set_known(state.resume);
}

bool HotnessProfiler::sample(State &state, const std::shared_ptr<Code> &code,
                             unsigned &alone, i64 length) {
  alone = state.shape == ONE || state.shape == NONE ? alone + 1 : 0;
  const bool began_alone = state.word_stride == 4;
  const unsigned samples_needed =
      began_alone || eager || random ? 1 : ONE_LANE_SAMPLES_BEFORE_COMPILING;
  const bool is_alone = alone >= samples_needed;
  if (!enabled || (!is_alone && (began_alone || eager)) ||
      !state.default_mode || (began_alone && state.lane4 != 0) ||
      state.dispatch->check_uninitialized)
    return false;
  const Inst *head = state.resume;
  std::unique_lock lock(mutex);
  if (!enabled)
    return false;
  if (state.dispatch->clock) { // lockstep: nothing from another thread
    if (waves_of(state))
      compile_at_once(state, code,
                      waves_of(state) == baseline::Waves::of_one_lane
                          ? MICRO_OPS_PER_SAMPLE
                          : WAVE_MICRO_OPS_PER_SAMPLE);
    return false;
  }
  if (random) {
    sample_at_random(state, code, is_alone, lock);
    return false;
  }
  if (!is_alone) { // LLVM compiles for one lane
    compile_at_once(state, code, WAVE_MICRO_OPS_PER_SAMPLE);
    return false;
  }
  const unsigned more = HotHeads::samples_of(length);
  heads.sampled(head, more);
  compile_what_is_new(state, code);
  if (at_once)
    return false;
  heads.doubt_region(
      head, more, [this](const Places &places) { return passes_of(places); });
  const std::optional<Tier> tier =
      heads.wanted(head, baseline && baseline->has(head), Clock::now());
  if (!tier)
    return heads.is_settled(head);
  enqueue(job_for(state, code, *tier), lock);
  return false;
}

void HotnessProfiler::sample_at_random(const State &state,
                                       const std::shared_ptr<Code> &code,
                                       bool is_alone,
                                       std::unique_lock<std::mutex> &lock) {
  using Executor = RandomTiers::Executor;
  const Inst *head = state.resume;
  const RandomTiers::Choice choice = random->choose(head);
  if (choice.executor == Executor::kept && cache && !state.counters)
    load_kept(state, code);
  if (choice.executor == Executor::baseline && waves_of(state))
    compile_at_once(state, code, choice.most);
  if (is_alone && (choice.executor == Executor::quick ||
                   choice.executor == Executor::optimised)) {
    Job job = job_for(state, code,
                      choice.executor == Executor::quick ? Tier::quick
                                                         : Tier::optimised);
    job.request.largest = choice.most;
    job.only_warm = choice.only_warm;
    if (random->may_compile() && !heads.is_queued(head) &&
        !enqueue(std::move(job), lock))
      return;
  }
  random->give(head, choice);
}

HotnessProfiler::Job HotnessProfiler::job_for(const State &state,
                                              const std::shared_ptr<Code> &code,
                                              Tier tier) const {
  Request request;
  request.tier = tier;
  request.head = state.resume;
  request.lane = state.only_lane();
  request.on = state.shape == ONE;
  request.linear_scratch = state.word_stride == 4;
  request.code_base = state.code_base;
  request.constants = state.constants; // replaced by a copy below
  request.find = [](void *context, u64 pc) {
    return static_cast<Code *>(context)->look_at(pc);
  };
  request.counting = state.counters != nullptr;
  request.visited = [](void *context, u64 pc) {
    return static_cast<Code *>(context)->visited(pc);
  };
  request.context = code.get();
  request.verbose = verbose;
  return {code, request, state.dispatch->memory->epoch_counter()};
}

/// Queues the job for the compiling thread, which is started first if need be;
/// in the modes for tests waits until the queue is empty. False if the thread
/// cannot be started: no further code is compiled.
bool HotnessProfiler::enqueue(Job job, std::unique_lock<std::mutex> &lock) {
  if (!thread.joinable() &&
      !thread.start([this] { work(); }, Thread::Signals::blocked)) {
    enabled = false;
    return false;
  }
  heads.set_queued(job.request.head, true);
  jobs.push_back(std::move(job));
  ++unfinished;
  wake.notify_one();
  if (eager || random)
    done.wait(lock, [&] { return stopping || !enabled || unfinished == 0; });
  return true;
}

/// Installs the regions of `code` that an earlier process compiled and kept.
void HotnessProfiler::load_kept(const State &state,
                                const std::shared_ptr<Code> &code) {
  // Writable code may differ from what the earlier process compiled.
  const Region *segment = state.dispatch->memory->find(state.code_base);
  if (!segment || segment->may_write())
    return;
  const Inst *head = state.resume;
  const auto start = Clock::now();
  std::set<Tier> tiers;
  for (const code_cache::CodeCache::Region &region :
       cache->take(code, head, tiers)) {
    const char *placed =
        memory.place(region.code, state.dispatch->memory->epoch_counter());
    if (!placed)
      continue;
    keep.push_back(code);
    install(*code, RandomTiers::Executor::kept, region.entries,
            region.code.handlers, placed);
    const u64 pc = code->begin() + head->pc;
    const std::chrono::duration<double, std::milli> took = Clock::now() - start;
    if (verbose)
      std::fprintf(stderr, "jit (cache): pc 0x%llx: %zu entries, %.3f ms\n",
                   static_cast<unsigned long long>(pc), region.entries.size(),
                   took.count());
  }
  heads.found_on_disk(head, tiers);
}

/// Has the baseline compiler translate up to `most` micro-ops from the head on,
/// for waves like the one with this state. 1000 micro-ops take a millisecond.
void HotnessProfiler::compile_at_once(const State &state,
                                      const std::shared_ptr<Code> &code,
                                      unsigned most) {
  if (!baseline)
    baseline = std::make_unique<baseline::Compiler>();
  const auto start = Clock::now();
  std::vector<baseline::Compiler::Placed> placed;
  const unsigned done =
      baseline->compile(*code, state.resume, *waves_of(state),
                        state.dispatch->memory->epoch_counter(), most,
                        random ? &placed : nullptr);
  if (!done)
    return;
  for (const auto &[entry, handler] : placed)
    random->add(*code, entry, RandomTiers::Executor::baseline, handler);
  if (keep.empty() || keep.back() != code)
    keep.push_back(code);
  const u64 pc = state.code_base + state.resume->pc;
  const std::chrono::duration<double, std::milli> took = Clock::now() - start;
  if (verbose)
    std::fprintf(stderr, "jit (baseline): pc 0x%llx: %u micro-ops, %.3f ms\n",
                 static_cast<unsigned long long>(pc), done, took.count());
}

/// The blocks that Request::warm of the job names: those that control came to
/// at least `warm_from` times. Empty: the region may have any block.
HotnessProfiler::BlockPasses HotnessProfiler::warm_blocks(const Job &job,
                                                          u64 warm_from) const {
  if (job.request.tier != Tier::optimised || !baseline || !job.only_warm ||
      !baseline->has(job.request.head))
    return {};
  return baseline->passed(warm_from);
}

u64 HotnessProfiler::passes_of(const Places &places) const {
  u64 sum = 0;
  for (const Inst *place : places)
    sum += baseline ? baseline->passes(place) : 0;
  return sum;
}

HotnessProfiler::Job HotnessProfiler::next_job() {
  auto next = std::max_element(
      jobs.begin(), jobs.end(), [&](const Job &a, const Job &b) {
        return heads.is_more_urgent(b.request, a.request);
      });
  Job job = std::move(*next);
  jobs.erase(next);
  heads.set_queued(job.request.head, false);
  return job;
}

void HotnessProfiler::finished() {
  --unfinished;
  done.notify_all();
}

/// Makes placed code the handler of each entry. `executor`: which tier it is
/// from, for RandomTiers.
void HotnessProfiler::install(Code &code, RandomTiers::Executor executor,
                              const std::vector<Entry> &entries,
                              const std::vector<u32> &handlers,
                              const char *placed) {
  for (size_t k = 0; k < entries.size(); ++k) {
    const auto handler =
        reinterpret_cast<Handler>(reinterpret_cast<u64>(placed + handlers[k]));
    // Waves read the pointer without synchronisation: it is written in one
    // piece, and both the old and the new handler are right.
    __atomic_store_n(
        const_cast<Handler *>(&entries[k].inst->fn[entries[k].shape]), handler,
        __ATOMIC_RELEASE);
    if (random)
      random->add(code, entries[k], executor, handler);
  }
}

/// Has LLVM compile the job's region. None if LLVM's library is missing.
std::optional<Result> HotnessProfiler::compile(Job &job, u64 warm_from,
                                               const BlockPasses &warm) {
  std::lock_guard busy(compiling_mutex());
  if (!exports && (exports = open_jit_library()))
    jit = exports->create();
  if (!jit)
    return std::nullopt;
  job.request.constants = constants->constants;
  if (!warm.empty()) {
    job.request.warm = &warm;
    job.request.warm_from = warm_from;
  }
  if (!random)
    job.request.worth = heads.worth(job.request.tier, Clock::now());
  return exports->compile(jit, job.request);
}

/// Places compiled code and makes it the handlers of its entries.
void HotnessProfiler::use(const Job &job, const Result &result) {
  const Tier tier = job.request.tier;
  if (random)
    random->compiled(tier, result.code.bytes.size());
  const char *placed = result.code.bytes.empty()
                           ? nullptr
                           : memory.place(result.code, job.epoch);
  heads.compiled(job.request.head, tier, placed ? result : Result(),
                 [this](const Places &places) { return passes_of(places); });
  if (!placed)
    return;
  keep.push_back(job.code);
  install(*job.code,
          tier == Tier::quick ? RandomTiers::Executor::quick
                              : RandomTiers::Executor::optimised,
          result.entries, result.code.handlers, placed);
}

/// The compiling thread.
void HotnessProfiler::work() {
  constants = std::make_unique<State>();
  fill_constants(*constants);
  std::unique_lock lock(mutex);
  for (;;) {
    wake.wait(lock, [&] { return stopping || !jobs.empty(); });
    if (stopping)
      return;
    Job job = next_job();
    const Inst *head = job.request.head;
    const Tier tier = job.request.tier;
    if (!random && heads.is_covered(head, tier)) {
      finished();
      continue;
    }
    const u64 warm_from =
        baseline ? std::max<u64>(baseline->passes(head) / WARM_SHARE, 1) : 1;
    const BlockPasses warm = warm_blocks(job, warm_from);
    lock.unlock();
    const std::optional<Result> result = compile(job, warm_from, warm);
    if (cache && result && !job.request.counting && !result->postponed)
      cache->keep(job.code, tier, head, *result);
    lock.lock();
    if (!result) {
      enabled = false;
      done.notify_all();
      return;
    }
    if (result->postponed)
      heads.postpone(head, tier, result->postponed);
    else
      use(job, *result);
    finished();
  }
}

} // namespace gpuexec::emulator::amdgpu::jit
