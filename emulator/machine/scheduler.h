//===-- emulator/machine/scheduler.h - Which wave runs when -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waves of all launches share one run queue. A worker takes the first wave,
// runs one slice of it and puts it back at the end: every resident wave makes
// progress, whatever the others wait for.
//
// A block of several waves is first run by one worker alone, wave by wave and
// from barrier to barrier, without the lock (block_turns.cpp): its memory stays
// in that processor's cache. When a wave of it sleeps, or other workers have
// nothing to do, its waves go into the queue one by one.
//
// The next block becomes resident when the resident waves are too few to keep
// the workers busy, or when no block has ended for a while: the resident waves
// may wait for that block. The number of resident blocks is bounded.
//
// A wave that sleeps until the host answers will soon be ready and counts as
// busy: no block is started in its place, because the fewer waves take turns,
// the more of their data stays in the caches.
// A worker that finds only sleeping waves, one of which has just made progress,
// serves the host's calls itself if the client has said how (HostCalls). When
// that gives no answer, it yields the processor to the host's threads, then
// pauses.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_SCHEDULER_H
#define GPUEXEC_EMULATOR_MACHINE_SCHEDULER_H

#include "emulator/machine/host_calls.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/lockstep.h"
#include "support/thread.h"

#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>

namespace gpuexec::emulator {

struct WaveSlot;

class Scheduler {
public:
  struct Options {
    unsigned threads = 0;      ///< workers; 0: one per processor, at least 2
    uint64_t slice = 8192;     ///< instructions of a slice, roughly
    uint64_t slices_alone = 8; ///< slices in one go of a wave that is alone
    uint32_t max_resident_waves = 8192;
    /// Host memory of waves, shared memory and stacks, touched or not. One
    /// block may always run, whatever its size.
    uint64_t max_resident_bytes = uint64_t(4) << 30;
    /// If set, waves run in lockstep instead of in turn; `threads` must be 1.
    std::optional<Lockstep> lockstep;
    HostCalls *host_calls = nullptr; ///< that workers may serve; null: none
  };

  explicit Scheduler(AddressSpace &memory) : Scheduler(memory, Options()) {}
  Scheduler(AddressSpace &memory, Options options);
  /// Stops all launches (each one's `done` is called) and joins the workers.
  ~Scheduler();
  Scheduler(const Scheduler &) = delete;

  /// To be called before launch(): creates a worker if there is none. False
  /// when the host cannot create a thread.
  bool ready();

  /// Starts the launch and returns at once. Further workers are created as
  /// there is work for them.
  void launch(std::shared_ptr<Launch> launch);

  /// Stops a launch at the end of its waves' slices; `done` follows. No effect
  /// when the launch is over. In lockstep stop() returns after the host's turn,
  /// except when it is called in that turn.
  void stop(Launch &launch);

  /// For a process that ends while launches run: no wave starts another slice.
  /// Returns when no wave runs, or at once when called by a worker. Nothing can
  /// be launched afterwards, and no `done` is called.
  void park();

  /// Where all live waves are; at most `limit` of them. Takes about a slice.
  std::vector<WaveSite> where(size_t limit);

  /// For tests: the largest number of waves that were resident at a time.
  uint32_t peak_resident_waves() const;

  /// For tests: how often a worker found only waves that poll in vain, and
  /// yielded or paused.
  uint64_t idle_yields() const;

private:
  void work();
  void pause(std::unique_lock<std::mutex> &guard, uint64_t microseconds);
  /// If the scheduler is parked, waits once and returns true: the worker looks
  /// again. Else frees memory that nobody reads any more and returns false.
  bool pause_if_parked(std::unique_lock<std::mutex> &guard);
  bool serve_host(std::unique_lock<std::mutex> &guard);
  void run_slice(WaveSlot &slot, AddressSpace::Reader &reader,
                 std::unique_lock<std::mutex> &guard);
  void begin_slice(WaveSlot &slot);
  uint64_t slices_in_one_go() const;
  Stop execute_slice(WaveSlot &slot, uint64_t budget,
                     AddressSpace::Reader &reader,
                     std::unique_lock<std::mutex> &guard);
  std::optional<FaultReport> report_of(const WaveSlot &slot,
                                       AddressSpace::Reader &reader);
  void end_slice(WaveSlot &slot, Stop stop,
                 std::unique_lock<std::mutex> &guard);
  // block_turns.cpp
  struct BlockTurn;
  void run_block(ResidentBlock &block, AddressSpace::Reader &reader,
                 std::unique_lock<std::mutex> &guard);
  bool stays_together(const ResidentBlock &block) const;
  BlockTurn begin_block_turn(ResidentBlock &block);
  bool end_block_turn(ResidentBlock &block, const BlockTurn &turn,
                      std::unique_lock<std::mutex> &guard);
  void separate(ResidentBlock &block);
  std::shared_ptr<Launch> shared(const Launch &launch) const;
  // lockstep.cpp
  void work_in_lockstep(AddressSpace::Reader &reader,
                        std::unique_lock<std::mutex> &guard);
  void step(AddressSpace::Reader &reader, std::unique_lock<std::mutex> &guard);
  WaveSlot &choose_wave();
  void hosts_turn(bool idle, std::unique_lock<std::mutex> &guard);
  bool start_block(AddressSpace::Reader &reader,
                   std::unique_lock<std::mutex> &guard);
  std::shared_ptr<Launch> next_launch_to_start();
  bool wants_more_blocks();
  uint32_t &sleep_count(const WaveSlot &slot);
  void finish_wave(WaveSlot &slot, std::unique_lock<std::mutex> &guard);
  void put_to_sleep(WaveSlot &slot);
  void release_barrier(ResidentBlock &block);
  void end_waves(Launch &launch);
  void finish_if_over(std::shared_ptr<Launch> launch,
                      std::unique_lock<std::mutex> &guard);
  void remove_block(ResidentBlock &block);
  void push(WaveSlot &slot);
  void wake(size_t count);
  void sample(WaveSlot &slot);
  void add_counters(Launch &launch, const Wave &wave);

  std::mutex sample_mutex; // held by where(); taken before `lock`
  AddressSpace &memory;
  AddressSpace::Reader name_reader; // entered under `lock` only
  Options options;
  mutable std::mutex lock; // of everything below
  std::condition_variable work_there, sampled;
  std::deque<WaveSlot *> queue;
  std::list<std::shared_ptr<Launch>> launches;
  std::vector<Thread> workers;
  uint32_t idle_workers = 0, woken_workers = 0;
  uint32_t resident_waves = 0, peak_waves = 0;
  uint64_t resident_bytes = 0;
  uint32_t active_waves =
      0; // ready or running: neither asleep nor at a barrier
  uint32_t sleeping_waves = 0; // asleep, after a slice that made progress
  uint32_t polling_waves = 0;  // asleep, after a slice that polled in vain
  uint32_t batch = 0;          // waves that may still start, busy or not: see
                               // wants_more_blocks()
  // Slices since a block began or ended, times STALL_PER_SLICE. A slice that
  // did some work and then slept counts only 1: it probably made progress, but
  // may also be part of a long polling loop.
  static constexpr uint64_t STALL_PER_SLICE = 32;
  uint64_t slices_stalled = 0;
  uint64_t idle_streak = 0; // slices since one did more than poll
  uint64_t idle_since = 0;  // when the streak began
  uint64_t idle_yield_count = 0;
  bool host_asked = false;      // perhaps: a wave made progress, then slept
  bool worker_polls = false;    // one worker watches the sleeping waves
  uint64_t no_yields_until = 0; // a yield took too long: pause instead
  std::vector<WaveSite> *samples = nullptr; // where() waits for them
  uint32_t sample_pending = 0;
  bool quit = false, parked = false;
  uint32_t running_waves = 0;
  uint32_t held_blocks = 0; // blocks that a worker runs alone, now
  // In lockstep.
  SeededChance chance{0};
  VirtualClock clock; // the wave that runs uses it without the lock
  uint64_t steps = 0;
  bool halted = false; // by the host: no further step
  bool in_turn = false;
  std::condition_variable turn_over;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_SCHEDULER_H
