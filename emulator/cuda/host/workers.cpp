//===-- emulator/cuda/host/workers.cpp - See workers.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/host/workers.h"
#include "support/processors.h"
#include "support/thread.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace gpuexec::cuda::host {

namespace {

/// A launch with fewer threads is over before another worker has woken up.
constexpr uint64_t LEAST_THREADS_FOR_HELP = 4096;

/// One launch, while workers take blocks of it.
struct Job {
  explicit Job(const Grid &grid) : grid(grid) {
    blocks = uint64_t(grid.blocks[0]) * grid.blocks[1] * grid.blocks[2];
  }

  const Grid &grid;
  uint64_t blocks;
  std::atomic<uint64_t> taken{0};
  std::mutex mutex; // guards `ending`
  Ending ending;
  unsigned helpers = 0; ///< guarded by the crew's mutex

  void fail(Outcome outcome, const Fault &fault, uint64_t block) {
    taken = blocks; // nobody begins another one
    std::lock_guard guard(mutex);
    if (ending.outcome != Outcome::done)
      return;
    const uint64_t row = block / grid.blocks[0];
    ending = {outcome,
              fault,
              {uint32_t(block % grid.blocks[0]), uint32_t(row % grid.blocks[1]),
               uint32_t(row / grid.blocks[1])}};
  }

  /// Takes blocks and runs them until there are none.
  void work();
};

struct Turn {
  Job *job;
  Block *block;
  uint64_t number; ///< of the block that runs
};

void run_blocks(void *data) {
  Turn &turn = *static_cast<Turn *>(data);
  Job &job = *turn.job;
  const Grid &grid = job.grid;
  // A few at a time, so that threads seldom ask at once.
  const uint64_t at_once = std::clamp<uint64_t>(job.blocks / 64, 1, 16);
  for (;;) {
    const uint64_t begin = job.taken.fetch_add(at_once);
    const uint64_t end = std::min(begin + at_once, job.blocks);
    if (begin >= end)
      return;
    uint32_t x = begin % grid.blocks[0];
    uint64_t row = begin / grid.blocks[0];
    for (turn.number = begin; turn.number < end; ++turn.number) {
      turn.block->run(x, uint32_t(row % grid.blocks[1]),
                      uint32_t(row / grid.blocks[1]));
      if (++x == grid.blocks[0]) {
        x = 0;
        ++row;
      }
    }
  }
}

void Job::work() {
  static thread_local Block block;
  if (taken >= blocks)
    return;
  if (!block.prepare(grid))
    return fail(Outcome::no_memory, {}, 0);
#if defined(__x86_64__)
  const unsigned modes = _mm_getcsr();
  _mm_setcsr(0x1f80); // rounds to nearest, keeps subnormal numbers
#endif
  Turn turn{this, &block, 0};
  const Fault fault = run_guarded(run_blocks, &turn);
#if defined(__x86_64__)
  _mm_setcsr(modes);
#endif
  if (fault.signal)
    fail(Outcome::faulted, fault, turn.number);
}

class Crew {
public:
  /// Lives until the process ends, as its threads do.
  static Crew &get() {
    static Crew *crew = new Crew;
    return *crew;
  }

  void run(Job &job) {
    const uint64_t threads = job.blocks * job.grid.threads[0] *
                             job.grid.threads[1] * job.grid.threads[2];
    const bool shares = job.blocks > 1 && threads >= LEAST_THREADS_FOR_HELP;
    if (shares)
      announce(job);
    job.work();
    if (shares)
      withdraw(job);
  }

private:
  void announce(Job &job) {
    std::lock_guard guard(mutex);
    jobs.push_back(&job);
    const uint64_t wanted =
        std::min<uint64_t>(job.blocks, usable_processors()) - 1;
    while (started < wanted) {
      Thread thread;
      if (!thread.start([this] { help(); }, Thread::Signals::blocked))
        break;
      thread.detach();
      ++started;
    }
    for (uint64_t n = 0; n < wanted; ++n)
      work_there.notify_one();
  }

  void withdraw(Job &job) {
    std::unique_lock guard(mutex);
    if (auto found = std::find(jobs.begin(), jobs.end(), &job);
        found != jobs.end())
      jobs.erase(found);
    helper_left.wait(guard, [&] { return job.helpers == 0; });
  }

  void help() {
    std::unique_lock guard(mutex);
    for (;;) {
      work_there.wait(guard, [&] { return !jobs.empty(); });
      Job &job = *jobs.front();
      ++job.helpers;
      guard.unlock();
      job.work();
      guard.lock();
      if (!jobs.empty() && jobs.front() == &job)
        jobs.pop_front(); // there is no block left
      if (--job.helpers == 0)
        helper_left.notify_all();
    }
  }

  std::mutex mutex; // guards the members below
  std::condition_variable work_there, helper_left;
  std::deque<Job *> jobs;
  uint64_t started = 0;
};

} // namespace

Ending run_grid(const Grid &grid) {
  Job job(grid);
  Crew::get().run(job);
  return job.ending;
}

} // namespace gpuexec::cuda::host
