//===-- rpc/server/threads.cpp - When server threads run, sleep and grow
//----===//
#include "rpc/server/engine.h"
#include "rpc/server/signals.h"
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace gpuexec::rpc;
using Clock = Poller::Clock;
using namespace std::chrono_literals;

// A yield that takes so long means that others keep the processor: this thread
// sleeps instead for a while, because who wakes up may be let in before them.
static constexpr auto LONG_YIELD = 150us;
static constexpr auto NO_YIELDS = 20ms;
// A second thread that finds nothing for so long is parked.
static constexpr auto PARK_AFTER = 2ms;
// A pass that takes so long made others wait. If there are so many of them, it
// asks for help, but not again within the interval. (Without the crowd a long
// pass may only mean that the machine is busy with something else.)
static constexpr auto CROWDED_PASS = 60us;
static constexpr auto HELP_INTERVAL = 200us;
// With processors to spare, so does one that has found such a crowd in every
// pass for so long: it is all that a thread can do.
static constexpr unsigned MANY_WATCHERS = 4;
static constexpr auto LONG_CROWD = 100us;

static void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

void Engine::start() {
  std::lock_guard lock(threads_mutex);
  if (running)
    return;
  running = true;
  stopping = false;
  started = Clock::now();
  runners.emplace_back();
  Runner &runner = runners.back();
  runner.number = watchers++;
  runner.watches = true;
  if (runner.thread.start([this, &runner] { watch(runner, true); }))
    return;
  Outcome outcome;
  outcome.kind = Outcome::Kind::error;
  outcome.status = 125;
  outcome.message =
      options.program_name.empty() ? "program" : options.program_name;
  outcome.message += ": no thread to be had for the calls of the host";
  finish(std::move(outcome));
}

/// False when there is no thread to be had.
bool Engine::add_worker() {
  std::lock_guard lock(threads_mutex);
  runners.emplace_back();
  Runner &runner = runners.back();
  runner.number = unsigned(runners.size());
  if (runner.thread.start([this, &runner] { work(runner); }))
    return true;
  runners.pop_back();
  return false;
}

void Engine::stop() {
  {
    std::lock_guard lock(threads_mutex);
    stopping = true;
    help_wanted.notify_all();
  }
  {
    std::lock_guard lock(work_mutex);
    work_there.notify_all();
  }
  wake_dozers();
  // Somebody may be in drain(): it ends now, and starts no more threads.
  std::lock_guard no_drain(drain_mutex);
  // A thread that still runs a service may start another, which comes behind
  // it.
  for (size_t i = 0;; ++i) {
    Runner *runner;
    {
      std::lock_guard lock(threads_mutex);
      if (i >= runners.size())
        break;
      runner = &runners[i];
    }
    if (runner->thread.joinable())
      runner->thread.join();
  }
  poller.stop();
  for (uint32_t i = 0; i < mailbox.ports(); ++i)
    if (ports[i].task)
      ports[i].task.reset();
  ready.clear();
  slow.clear();
  ready_count = 0;
  if (running)
    stopped = Clock::now();
  running = false;
}

void Engine::drain() {
  std::lock_guard one(drain_mutex);
  for (;;) {
    if (finished() || given_up || stopping)
      return;
    if (pass(own_runner))
      continue;
    if (any_busy()) {
      // Nobody is there any more to read what a terminal might say.
      for (void *cookie : poller.take_readers()) {
        Port &port = *static_cast<ExternalWait *>(cookie)->port;
        drop(port);
        unlock(port.slot);
      }
      std::this_thread::sleep_for(20us);
      continue;
    }
    bool pending = false;
    // In an express slot, what has not arrived by now never will.
    for (uint32_t group = 0; !mailbox.is_express(group * 64) && !pending;
         ++group)
      pending = mailbox.pending(group);
    if (!pending && !ready_count.load())
      break;
  }
  for (uint32_t i = 0; i < mailbox.ports(); ++i)
    if (try_lock(i)) {
      if (ports[i].task)
        drop(ports[i]);
      unlock(i);
    }
}

//===-- Watching
//--------------------------------------------------------------===//

void Engine::watch(Runner &runner, bool first) {
  block_signals();
  prctl(PR_SET_TIMERSLACK, 1000UL); // sleeps of 20 us are to be 20 us
  Clock::time_point idle_since = {};
  unsigned empty_passes = 0;
  bool slow_before = false;
  Clock::time_point crowd_since = Clock::now();
  while (!stopping.load(std::memory_order_relaxed)) {
    if (finished()) {
      // Nothing is served any more; only stop() is worth waking up for.
      doze(10ms);
      continue;
    }
    auto begin = Clock::now();
    bool worked = pass(runner);
    if (worked) {
      if (empty_passes) {
        runner.idle_ns += (begin - idle_since).count();
        empty_passes = 0;
        runner.wake_cost.interrupted();
      }
      auto end = Clock::now();
      bool slow = end - begin > CROWDED_PASS;
      if (runner.served < CROWD)
        crowd_since = end;
      bool long_crowd =
          max_watchers >= MANY_WATCHERS && end - crowd_since > LONG_CROWD;
      if (max_watchers > 1 && (slow || slow_before || long_crowd) &&
          runner.served >= CROWD)
        ask_for_help();
      slow_before = slow;
      continue;
    }
    crowd_since = begin;
    if (!empty_passes++)
      idle_since = begin;
    back_off(runner, begin, idle_since, first);
  }
  if (empty_passes)
    runner.idle_ns += (Clock::now() - idle_since).count();
}

void Engine::back_off(Runner &runner, Clock::time_point now,
                      Clock::time_point since, bool first) {
  auto idle = now - since;
  Idle step = idle_step(idle);
  if (step == Idle::look) {
    pause_briefly();
    return;
  }
  if (step == Idle::yield && now >= runner.no_yields_until) {
    sched_yield();
    if (auto then = Clock::now(); then - now > LONG_YIELD)
      runner.no_yields_until = then + NO_YIELDS;
    return;
  }
  if (!first && idle > PARK_AFTER) {
    std::unique_lock lock(threads_mutex);
    ++parked;
    runner.watches = false;
    share_out();
    help_wanted.wait(lock, [&] { return called || stopping; });
    --parked;
    runner.watches = true;
    share_out();
    if (called)
      --called;
    return;
  }
  doze(sleep_length(idle, runner.wake_cost.each()));
  runner.wake_cost.slept();
}

void Engine::doze(std::chrono::nanoseconds time) {
  uint32_t word = wake_word.load();
  dozing.fetch_add(1);
  if (!ready_count.load() && !stopping.load()) {
    timespec limit = {time.count() / 1'000'000'000,
                      long(time.count() % 1'000'000'000)};
    syscall(SYS_futex, &wake_word, FUTEX_WAIT_PRIVATE, word, &limit, nullptr,
            0);
  }
  dozing.fetch_sub(1);
}

void Engine::wake_dozers() {
  wake_word.fetch_add(1);
  if (dozing.load())
    syscall(SYS_futex, &wake_word, FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr,
            nullptr, 0);
}

/// Who watches what. threads_mutex is held.
void Engine::share_out() {
  uint32_t count = 0;
  for (Runner &runner : runners)
    if (runner.watches)
      runner.share.store(count++, std::memory_order_relaxed);
  sharers.store(count, std::memory_order_relaxed);
}

void Engine::ask_for_help() {
  int64_t now = Clock::now().time_since_epoch().count();
  int64_t last = last_call_ns.load(std::memory_order_relaxed);
  if (now - last < std::chrono::nanoseconds(HELP_INTERVAL).count() ||
      !last_call_ns.compare_exchange_strong(last, now))
    return;
  std::lock_guard lock(threads_mutex);
  if (stopping)
    return;
  if (parked > called) {
    ++called;
    help_wanted.notify_one();
  } else if (watchers < max_watchers) {
    runners.emplace_back();
    Runner &runner = runners.back();
    runner.number = watchers++;
    runner.watches = true;
    // Without it those that are there go on.
    if (!runner.thread.start([this, &runner] { watch(runner, false); })) {
      --watchers;
      runners.pop_back();
    }
    share_out();
  }
}

//===-- Slow services
//----------------------------------------------------------===//

void Engine::work(Runner &runner) {
  block_signals();
  std::unique_lock lock(work_mutex);
  while (!stopping) {
    if (slow.empty()) {
      ++idle_workers;
      work_there.wait(lock);
      --idle_workers;
      continue;
    }
    Ready item = slow.front();
    slow.pop_front();
    lock.unlock();
    if (resume(runner, *item.port, item.waiter))
      unlock(item.port->slot);
    lock.lock();
  }
}

std::string Engine::stats_table() const {
  std::lock_guard lock(threads_mutex);
  std::vector<StatsRow> rows;
  for (const Operation *operation : by_index) {
    StatsRow row{operation->name, {}};
    auto add = [&](const Runner &runner) {
      if (const OperationStats *found = runner.stats.find(operation->index))
        row.stats.add(*found);
    };
    for (const Runner &runner : runners)
      add(runner);
    add(own_runner);
    if (row.stats.requests)
      rows.push_back(std::move(row));
  }
  std::chrono::nanoseconds idle(
      runners.empty() ? 0 : runners.front().idle_ns.load());
  auto end = running ? Clock::now() : stopped;
  return format_stats(std::move(rows), unsigned(runners.size()), idle,
                      end - started);
}
