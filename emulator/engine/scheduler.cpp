//===-- emulator/engine/scheduler.cpp - Who runs when ---------------------===//
// One lock guards queue and states; waves run and blocks are built outside of
// it. A WaveSlot in state running belongs to the worker that took it from the
// queue, in every other state to whoever holds the lock.
//===----------------------------------------------------------------------===//
#include "emulator/engine/scheduler.h"
#include "emulator/engine/report.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <tuple>

namespace gpuexec::emulator {

namespace {
constexpr uint32_t ACTIVE_WAVES_PER_WORKER =
    4; // enough that a worker never waits for a block to be built
constexpr uint64_t STALL_SLICES_PER_WORKER = 64;
constexpr uint64_t SPIN_TICKS =
    CLOCK_HZ / 200'000; // 5 us of looking, then yielding
constexpr uint64_t YIELD_TICKS = CLOCK_HZ / 3'000; // 300 us of it
constexpr uint64_t LONG_YIELD_TICKS =
    CLOCK_HZ / 7'000; // 140 us: others ran for a slice each
constexpr uint64_t NO_YIELD_TICKS = CLOCK_HZ / 50; // 20 ms without any then
constexpr uint64_t MAX_PAUSE_US = 500;
constexpr uint64_t LOOKS_PER_PAUSE = 256; // at waves that slept before it
constexpr size_t SPARE_GROUPS = 64;
constexpr size_t MAX_REGION_NAME = 128;

enum class State : uint8_t { ready, sleeping, running, barrier, ended };
} // namespace

struct WaveSlot {
  std::unique_ptr<Wave> wave;
  ResidentGroup *group = nullptr;
  uint32_t index = 0;
  State state = State::ended;
  bool sample_wanted = false;
  uint64_t sleep_pc = 0,
           sleep_length =
               ~uint64_t(0); // where and after how much it slept last
};

/// Zeroed pages for LDS and scratch, so that a large private segment costs only
/// what is touched.
class Pages {
public:
  Pages() = default;
  Pages(const Pages &) = delete;
  ~Pages() { reset(0); }
  bool reset(size_t size) {
    if (bytes)
      munmap(bytes, length);
    bytes = nullptr;
    length = size;
    if (!size)
      return true;
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      length = 0;
      return false;
    }
    bytes = static_cast<std::byte *>(memory);
    return true;
  }
  std::byte *data() const { return bytes; }
  size_t size() const { return length; }

private:
  std::byte *bytes = nullptr;
  size_t length = 0;
};

struct ResidentGroup {
  Workgroup group;
  Launch *launch = nullptr;
  std::vector<WaveSlot> waves;
  uint32_t live = 0, at_barrier = 0;
  Pages pages;
  std::list<std::unique_ptr<ResidentGroup>>::iterator place;
};

Launch::Launch() = default;
Launch::~Launch() = default;

Scheduler::Scheduler(AddressSpace &memory, Options wanted)
    : memory(memory), counting(memory), options(wanted) {
  if (!options.threads)
    options.threads = std::max(2u, std::thread::hardware_concurrency());
  workers.reserve(options.threads);
}

Scheduler::~Scheduler() {
  {
    std::unique_lock guard(lock);
    std::vector<std::shared_ptr<Launch>> all(launches.begin(), launches.end());
    for (auto &launch : all) {
      launch->dispatch.stop = true;
      end_waves(*launch);
    }
    for (auto &launch : all)
      finish_if_over(launch, guard);
    quit = true;
    work_there.notify_all();
  }
  for (std::thread &worker : workers)
    worker.join();
}

static uint32_t waves_per_group(const Launch &launch) {
  const Dispatch &dispatch = launch.dispatch;
  uint32_t threads =
      uint32_t(dispatch.group[0]) * dispatch.group[1] * dispatch.group[2];
  uint32_t wave_size = launch.kernel->sizes().wave_size;
  return (threads + wave_size - 1) / wave_size;
}

static size_t lds_bytes(const Dispatch &dispatch) {
  return (size_t(dispatch.group_segment_size) + 64 + 63) & ~size_t(63);
}

static size_t scratch_bytes(const Launch &launch) {
  size_t per_wave =
      size_t(launch.kernel->sizes().wave_size) * launch.dispatch.private_size;
  return per_wave * waves_per_group(launch) + 64;
}

uint64_t Scheduler::group_bytes(const Launch &launch) const {
  return lds_bytes(launch.dispatch) + scratch_bytes(launch) +
         uint64_t(waves_per_group(launch)) * launch.kernel->sizes().wave_bytes;
}

void Scheduler::launch(std::shared_ptr<Launch> launch) {
  Dispatch &dispatch = launch->dispatch;
  dispatch.memory = &memory;
  dispatch.kernel = launch->kernel.get();
  launch->total_groups = 1;
  for (int i = 0; i < 3; ++i) {
    dispatch.groups[i] =
        uint32_t((uint64_t(dispatch.grid[i]) + dispatch.group[i] - 1) /
                 dispatch.group[i]);
    launch->total_groups *= dispatch.groups[i];
  }
  launch->started = clock_now();
  std::unique_lock guard(lock);
  launches.push_back(launch);
  if (quit)
    dispatch.stop = true;
  if (dispatch.stop || launch->total_groups == 0) {
    launch->next_group = launch->total_groups;
    finish_if_over(launch, guard);
    return;
  }
  wake(1);
}

void Scheduler::stop(Launch &launch) {
  std::unique_lock guard(lock);
  for (auto &known : launches)
    if (known.get() == &launch) {
      std::shared_ptr<Launch> keep = known;
      launch.dispatch.stop = true;
      end_waves(launch);
      finish_if_over(keep, guard);
      return;
    }
}

// Wakes or creates workers for `count` more waves. The lock is held.
void Scheduler::wake(size_t count) {
  while (count && woken_workers < idle_workers) {
    ++woken_workers;
    work_there.notify_one();
    --count;
  }
  while (count-- && workers.size() < options.threads && !quit) {
    // Signals are for the client's own threads.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    workers.emplace_back([this] { work(); });
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
  }
}

void Scheduler::push(WaveSlot &slot) { queue.push_back(&slot); }

void Scheduler::park() {
  std::unique_lock guard(lock);
  parked = true;
  for (auto &launch : launches)
    launch->dispatch.stop = true; // for those who look at it within a slice
  for (const std::thread &worker : workers)
    if (worker.get_id() == std::this_thread::get_id())
      return;
  sampled.wait_for(guard, std::chrono::seconds(1),
                   [&] { return running_waves == 0; });
}

// Waits for work, at most so long (0: for ever).
void Scheduler::pause(std::unique_lock<std::mutex> &guard,
                      uint64_t microseconds) {
  ++idle_workers;
  if (microseconds)
    work_there.wait_for(guard, std::chrono::microseconds(microseconds));
  else
    work_there.wait(guard);
  --idle_workers;
  if (woken_workers)
    --woken_workers;
}

void Scheduler::work() {
  pthread_setname_np(pthread_self(), "gpuexec-worker");
  prctl(PR_SET_TIMERSLACK, 1000); // pauses are short: 1 us instead of 50
  AddressSpace::Reader reader(memory);
  std::unique_lock guard(lock);
  while (true) {
    if (parked && !quit) {
      pause(guard, 0);
      continue;
    }
    if (memory.has_retired()) {
      guard.unlock();
      memory.collect();
      guard.lock();
    }
    if (admit(reader, guard))
      continue;
    if (queue.empty()) {
      if (quit && launches.empty())
        return;
      pause(guard, 0);
      continue;
    }
    // Everything there is has been looked at and only sleeps.
    if (idle_streak > queue.size()) {
      uint64_t idle_for = clock_now() - idle_since;
      if (polling) { // by another worker
        pause(guard, 0);
        continue;
      }
      if (idle_for > SPIN_TICKS && idle_for < YIELD_TICKS &&
          clock_now() >= no_yields_until) {
        // Whoever wakes from a sleep queues behind others of the machine;
        // whoever yields does not, unless they keep the processor for a whole
        // slice each: then sleeping is better for a while.
        polling = true;
        guard.unlock();
        uint64_t before = clock_now();
        sched_yield();
        uint64_t after = clock_now();
        guard.lock();
        polling = false;
        if (after - before > LONG_YIELD_TICKS)
          no_yields_until = after + NO_YIELD_TICKS;
        if (queue.empty())
          continue;
      } else if (idle_for > SPIN_TICKS) {
        // The longer it took, the less does a little more matter.
        uint64_t pause_us = std::clamp<uint64_t>(
            idle_for / (CLOCK_HZ / 1'000'000) / 4, 5, MAX_PAUSE_US);
        polling = true;
        pause(guard, pause_us);
        polling = false;
        if (queue.empty())
          continue;
      }
    }
    if (idle_streak > queue.size())
      // What happened meanwhile may be for any of them: look at many before the
      // next pause.
      idle_streak -= std::min<uint64_t>(queue.size(), LOOKS_PER_PAUSE);
    WaveSlot &slot = *queue.front();
    queue.pop_front();
    run_slice(slot, reader, guard);
  }
}

void Scheduler::run_slice(WaveSlot &slot, AddressSpace::Reader &reader,
                          std::unique_lock<std::mutex> &guard) {
  Launch &launch = *slot.group->launch;
  bool was_sleeping = slot.state == State::sleeping;
  slot.state = State::running;
  if (was_sleeping)
    ++active_waves;
  // Others that are ready get another worker.
  if (!queue.empty() &&
      (queue.front()->state == State::ready || idle_streak == 0))
    wake(1);
  Stop stop;
  ++running_waves;
  do {
    guard.unlock();
    reader.enter();
    stop = slot.wave->run(options.slice);
    reader.leave();
    if (stop == Stop::fault && !launch.dispatch.stop.exchange(true)) {
      FaultReport report;
      report.fault = slot.wave->fault();
      report.site = site_of(slot);
      reader.enter();
      complete(report, memory);
      reader.leave();
      guard.lock();
      launch.report = std::move(report);
      guard.unlock();
    }
    guard.lock();
    ++slices_stalled;
    // Alone: no need to go through the queue.
  } while (stop == Stop::budget && queue.empty() && !parked &&
           !launch.dispatch.stop && !slot.sample_wanted &&
           !memory.has_retired() && !next_to_admit());
  --running_waves;
  if (parked) {
    sampled.notify_all();
    slot.state = State::ready; // whatever it wanted: it is not run again
    push(slot);
    return;
  }
  if (slot.sample_wanted)
    sample(slot);

  if (launch.dispatch.stop) {
    end_waves(launch);
    finish_wave(slot, guard);
    return;
  }
  switch (stop) {
  case Stop::budget:
    idle_streak = 0;
    slot.state = State::ready;
    push(slot);
    break;
  case Stop::sleep:
    if (uint64_t pc = slot.wave->pc(), length = slot.wave->last_run_length();
        pc != slot.sleep_pc || length != slot.sleep_length) {
      slot.sleep_pc = pc;
      slot.sleep_length = length;
      idle_streak = 0;
    } else if (idle_streak++ == 0) {
      idle_since = clock_now();
    }
    slot.state = State::sleeping;
    --active_waves;
    push(slot);
    break;
  case Stop::barrier:
    idle_streak = 0;
    slot.state = State::barrier;
    --active_waves;
    ++slot.group->at_barrier;
    release_barrier(*slot.group);
    break;
  case Stop::ended:
  case Stop::fault:
    idle_streak = 0;
    finish_wave(slot, guard);
    break;
  }
}

// The wave has stopped for good.
void Scheduler::add_counters(Launch &launch, const Wave &wave) {
  const Counters *counters = launch.dispatch.count ? wave.counters() : nullptr;
  if (!counters)
    return;
  launch.counters += *counters;
  for (const RegionOfInterest &region : wave.regions_of_interest()) {
    std::string &name = launch.region_names[region.name];
    if (name.empty()) {
      // From device memory, which may be anything: no further than its end.
      counting.enter();
      const Region *memory_region = memory.find(region.name);
      for (uint64_t at = region.name;
           memory_region && at < memory_region->end &&
           name.size() < MAX_REGION_NAME;
           ++at) {
        char letter = __atomic_load_n(reinterpret_cast<const char *>(at),
                                      __ATOMIC_RELAXED);
        if (!letter)
          break;
        name += letter;
      }
      counting.leave();
      if (name.empty())
        name = "?";
    }
    launch.regions[name] += region.counters;
  }
}

void Scheduler::release_barrier(ResidentGroup &group) {
  if (!group.live || group.at_barrier < group.live)
    return;
  group.at_barrier = 0;
  for (WaveSlot &slot : group.waves)
    if (slot.state == State::barrier) {
      slot.state = State::ready;
      ++active_waves;
      push(slot);
    }
}

// A wave that was running is over: it ended, or its launch was stopped. The
// lock is held.
void Scheduler::finish_wave(WaveSlot &slot,
                            std::unique_lock<std::mutex> &guard) {
  ResidentGroup &group = *slot.group;
  Launch &launch = *group.launch;
  slot.state = State::ended;
  --active_waves;
  --group.live;
  add_counters(launch, *slot.wave);
  if (group.live) {
    release_barrier(group);
    return;
  }
  slices_stalled = 0;
  stall_streak = 0;
  std::shared_ptr<Launch> keep;
  for (auto &known : launches)
    if (known.get() == &launch)
      keep = known;
  remove_group(group);
  finish_if_over(std::move(keep), guard);
}

void Scheduler::remove_group(ResidentGroup &group) {
  Launch &launch = *group.launch;
  resident_waves -= group.group.waves;
  resident_bytes -= group_bytes(launch);
  --launch.resident_groups;
  std::unique_ptr<ResidentGroup> owner = std::move(*group.place);
  launch.resident.erase(group.place);
  if (launch.next_group < launch.total_groups &&
      launch.spare.size() < SPARE_GROUPS)
    launch.spare.push_back(std::move(owner));
}

// Ends all waves of a stopped launch that do not run right now; those that do
// follow when their slices end.
void Scheduler::end_waves(Launch &launch) {
  launch.next_group = launch.total_groups;
  std::erase_if(queue,
                [&](WaveSlot *slot) { return slot->group->launch == &launch; });
  for (auto next = launch.resident.begin(); next != launch.resident.end();) {
    ResidentGroup &group = **next++;
    for (WaveSlot &slot : group.waves) {
      if (slot.state == State::running || slot.state == State::ended)
        continue;
      if (slot.state == State::ready)
        --active_waves;
      add_counters(launch, *slot.wave);
      if (slot.sample_wanted)
        sample(slot);
      slot.state = State::ended;
      --group.live;
    }
    if (!group.live)
      remove_group(group);
  }
}

// Takes a launch that has nothing left off the list and tells its owner,
// without the lock.
void Scheduler::finish_if_over(std::shared_ptr<Launch> launch,
                               std::unique_lock<std::mutex> &guard) {
  if (launch->resident_groups || launch->building_groups ||
      launch->next_group < launch->total_groups)
    return;
  auto found = std::find(launches.begin(), launches.end(), launch);
  if (found == launches.end())
    return;
  launches.erase(found);
  if (quit && launches.empty())
    work_there.notify_all();
  guard.unlock();
  launch->ended = clock_now();
  launch->spare.clear();
  if (launch->done)
    launch->done(*launch);
  launch.reset();
  guard.lock();
}

std::shared_ptr<Launch> Scheduler::next_to_admit() {
  if (launches.empty())
    return nullptr;
  uint64_t threads = options.threads;
  if (active_waves >= threads * ACTIVE_WAVES_PER_WORKER &&
      slices_stalled < threads * STALL_SLICES_PER_WORKER)
    return nullptr;
  for (auto &launch : launches) {
    if (launch->next_group >= launch->total_groups)
      continue;
    if (!resident_waves)
      return launch;
    if (resident_waves + waves_per_group(*launch) <=
            options.max_resident_waves &&
        resident_bytes + group_bytes(*launch) <= options.max_resident_bytes)
      return launch;
    return nullptr; // in order: a large block is not overtaken for ever
  }
  return nullptr;
}

// Makes one more block resident if there should be one. True when it did
// anything.
bool Scheduler::admit(AddressSpace::Reader &reader,
                      std::unique_lock<std::mutex> &guard) {
  if (parked)
    return false;
  std::shared_ptr<Launch> launch = next_to_admit();
  if (!launch)
    return false;
  uint64_t index = launch->next_group++;
  uint32_t waves = waves_per_group(*launch);
  uint64_t bytes = group_bytes(*launch);
  resident_waves += waves;
  resident_bytes += bytes;
  if (active_waves >= options.threads * ACTIVE_WAVES_PER_WORKER)
    ++stall_streak;
  active_waves += waves; // so that others do not admit too many meanwhile
  peak_waves = std::max(peak_waves, resident_waves);
  slices_stalled = 0;
  ++launch->building_groups;
  std::unique_ptr<ResidentGroup> group;
  if (!launch->spare.empty()) {
    group = std::move(launch->spare.back());
    launch->spare.pop_back();
  }
  guard.unlock();
  if (!group)
    group = std::make_unique<ResidentGroup>();
  reader.enter();
  bool built = build(*launch, *group, index);
  reader.leave();
  guard.lock();
  --launch->building_groups;
  active_waves -= waves;
  uint32_t live = group->group.waves; // a partial block may have fewer
  if (!built) {
    if (!launch->dispatch.stop.exchange(true)) {
      FaultReport report;
      report.fault.kind = Fault::Kind::out_of_scratch;
      report.fault.detail = "the host has no memory for a block of " +
                            std::to_string(bytes) + " bytes";
      report.site.kernel = launch->kernel->name();
      complete(report, memory);
      launch->report = std::move(report);
    }
  }
  if (!built || launch->dispatch.stop) {
    resident_waves -= waves;
    resident_bytes -= bytes;
    end_waves(*launch);
    finish_if_over(launch, guard);
    return true;
  }
  resident_waves -= waves - live;
  active_waves += live;
  ++launch->resident_groups;
  ResidentGroup &there = *group;
  launch->resident.push_front(std::move(group));
  there.place = launch->resident.begin();
  there.live = live;
  there.at_barrier = 0;
  for (uint32_t i = 0; i < live; ++i) {
    there.waves[i].state = State::ready;
    push(there.waves[i]);
  }
  return true;
}

// Sets up block `index` of the launch. No lock; the block is known to nobody
// else yet. False: no memory.
bool Scheduler::build(Launch &launch, ResidentGroup &resident, uint64_t index) {
  const Dispatch &dispatch = launch.dispatch;
  Workgroup &group = resident.group;
  group.dispatch = &dispatch;
  group.id[0] = uint32_t(index % dispatch.groups[0]);
  group.id[1] = uint32_t(index / dispatch.groups[0] % dispatch.groups[1]);
  group.id[2] = uint32_t(index / dispatch.groups[0] / dispatch.groups[1]);
  for (int i = 0; i < 3; ++i)
    group.size[i] = std::min<uint32_t>(
        dispatch.group[i], dispatch.grid[i] - group.id[i] * dispatch.group[i]);
  uint32_t wave_size = launch.kernel->sizes().wave_size;
  group.waves = (group.threads() + wave_size - 1) / wave_size;
  size_t lds = lds_bytes(dispatch), needed = lds + scratch_bytes(launch);
  if (resident.pages.size() != needed && !resident.pages.reset(needed))
    return false;
  group.lds = resident.pages.data();
  group.lds_size = dispatch.group_segment_size;
  group.scratch = resident.pages.data() + lds;
  resident.launch = &launch;
  if (resident.waves.size() < group.waves)
    resident.waves = std::vector<WaveSlot>(waves_per_group(launch));
  for (uint32_t i = 0; i < resident.waves.size(); ++i) {
    WaveSlot &slot = resident.waves[i];
    slot.group = &resident;
    slot.index = i;
    slot.state = State::ended;
    slot.sleep_length = ~uint64_t(0);
    if (i < group.waves && !(slot.wave && slot.wave->restart(group, i)))
      slot.wave = launch.kernel->make_wave(group, i);
  }
  return true;
}

WaveSite Scheduler::site_of(const WaveSlot &slot) const {
  const ResidentGroup &resident = *slot.group;
  const Launch &launch = *resident.launch;
  WaveSite site;
  site.kernel = launch.kernel->name();
  std::copy_n(resident.group.id, 3, site.block);
  std::copy_n(resident.group.size, 3, site.group_size);
  site.wave = slot.index;
  site.wave_size = launch.kernel->sizes().wave_size;
  site.lanes = slot.wave->active_lanes();
  site.pc = slot.wave->pc();
  site.instruction = slot.wave->instruction();
  site.callers = slot.wave->callers();
  site.symbols = launch.symbols;
  switch (slot.state) {
  case State::ready:
  case State::running:
    site.state = "running";
    break;
  case State::sleeping:
    site.state = "sleeping";
    break;
  case State::barrier:
    site.state = "waiting at a barrier";
    break;
  case State::ended:
    site.state = "ended";
    break;
  }
  return site;
}

void Scheduler::sample(WaveSlot &slot) {
  slot.sample_wanted = false;
  if (samples)
    samples->push_back(site_of(slot));
  if (--sample_pending == 0)
    sampled.notify_all();
}

std::vector<WaveSite> Scheduler::where(size_t limit) {
  std::lock_guard one_at_a_time(asking);
  std::vector<WaveSite> sites;
  std::unique_lock guard(lock);
  // All at this moment; those that run are asked and answer at the end of their
  // slices.
  for (auto &launch : launches)
    for (auto &group : launch->resident)
      for (WaveSlot &slot : group->waves) {
        if (slot.state == State::running) {
          sample_pending += !slot.sample_wanted;
          slot.sample_wanted = true;
        } else if (slot.state != State::ended && sites.size() < limit) {
          sites.push_back(site_of(slot));
        }
      }
  samples = &sites;
  sampled.wait_for(guard, std::chrono::milliseconds(500),
                   [&] { return sample_pending == 0; });
  samples = nullptr;
  std::sort(sites.begin(), sites.end(), [](const auto &a, const auto &b) {
    return std::tuple(a.block[2], a.block[1], a.block[0], a.wave) <
           std::tuple(b.block[2], b.block[1], b.block[0], b.wave);
  });
  if (sites.size() > limit)
    sites.resize(limit);
  return sites;
}

uint32_t Scheduler::peak_resident_waves() const {
  std::lock_guard guard(lock);
  return peak_waves;
}

} // namespace gpuexec::emulator
