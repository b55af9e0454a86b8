//===-- emulator/machine/scheduler.h - Who runs when ------------*- C++ -*-===//
// Waves of all launches share one queue; a worker takes the first, lets it run
// a slice and puts it back at the end. So every resident wave moves on,
// whatever the others spin on. Blocks become resident when there is too little
// to do, or when those that are have not got anywhere for a while (they may
// wait for one that is not resident yet); their number is bounded. A wave that
// sleeps until the host answers does so soon: it is not too little to do, and
// the fewer waves take turns the more of them stays in the caches. A worker
// that finds only sleeping waves yields the processor to the host's threads,
// then pauses.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_SCHEDULER_H
#define GPUEXEC_EMULATOR_MACHINE_SCHEDULER_H

#include "emulator/machine/launch.h"
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
    unsigned threads = 0;  // 0: one per processor, at least 2
    uint64_t slice = 8192; // instructions
    uint32_t max_resident_waves = 8192;
    uint64_t max_resident_bytes =
        uint64_t(1)
        << 30; // waves, LDS and scratch; one block is always admitted
  };

  explicit Scheduler(AddressSpace &memory) : Scheduler(memory, Options()) {}
  Scheduler(AddressSpace &memory, Options options);
  /// Stops everything that runs (each launch's `done` is called) and joins the
  /// workers.
  ~Scheduler();
  Scheduler(const Scheduler &) = delete;

  /// Sees to it that there is a thread to run waves; false when none is to be
  /// had. Before launch().
  bool ready();

  /// Starts it; returns at once. Worker threads are created as there is work
  /// for them.
  void launch(std::shared_ptr<Launch> launch);

  /// Stops a launch at the end of its waves' slices; `done` follows. No effect
  /// when it is over.
  void stop(Launch &launch);

  /// For a process that ends without having stopped everything: no wave starts
  /// another slice. Returns when none runs
  /// any more, or at once when called by a worker. Nothing can be launched
  /// afterwards, and `done` is not called.
  void park();

  /// Where all live waves are. Takes a slice's time; at most `limit` of them.
  std::vector<WaveSite> where(size_t limit);

  /// For tests and statistics: the most waves that were resident at a time.
  uint32_t peak_resident_waves() const;

  /// For tests: how often a worker took all waves for such as only wait, and
  /// left the processor to others.
  uint64_t rests() const;

private:
  void work();
  void pause(std::unique_lock<std::mutex> &guard, uint64_t microseconds);
  void run_slice(WaveSlot &slot, AddressSpace::Reader &reader,
                 std::unique_lock<std::mutex> &guard);
  bool admit(AddressSpace::Reader &reader, std::unique_lock<std::mutex> &guard);
  std::shared_ptr<Launch> next_to_admit();
  bool more_wanted();
  uint32_t &sleepers_like(const WaveSlot &slot);
  void finish_wave(WaveSlot &slot, std::unique_lock<std::mutex> &guard);
  void release_barrier(ResidentGroup &group);
  void end_waves(Launch &launch);
  void finish_if_over(std::shared_ptr<Launch> launch,
                      std::unique_lock<std::mutex> &guard);
  void remove_group(ResidentGroup &group);
  void push(WaveSlot &slot);
  void wake(size_t count);
  void sample(WaveSlot &slot);
  void add_counters(Launch &launch, const Wave &wave);

  std::mutex asking; // where(); taken before the other
  AddressSpace &memory;
  AddressSpace::Reader counting; // entered under the lock only
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
      0; // ready or running, not those that sleep or wait at a barrier
  uint32_t resting_waves = 0, looking_waves = 0; // of those that sleep
  uint32_t batch = 0; // waves that become resident without further questions
  // Slices since a block began or ended. One that slept after it got somewhere
  // counts next to nothing (but not nothing: it may have gone a long way round
  // what it waits for).
  static constexpr uint64_t STALL_PER_SLICE = 32;
  uint64_t slices_stalled = 0;
  uint64_t idle_streak = 0; // slices since a wave did more than sleep
  uint64_t idle_since = 0;  // when the streak began
  uint64_t rest_count = 0;
  bool polling = false;         // a worker looks after the sleeping waves
  uint64_t no_yields_until = 0; // others keep the processor when it is yielded
  std::vector<WaveSite> *samples = nullptr; // where() waits for them
  uint32_t sample_pending = 0;
  bool quit = false, parked = false;
  uint32_t running_waves = 0;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_SCHEDULER_H
