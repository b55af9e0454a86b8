//===-- rpc/server/worker_pool.cpp - Threads that serve -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/worker_pool.h"
#include "rpc/server/polling.h"
#include "rpc/server/signals.h"
#include "llvm/ADT/ScopeExit.h"
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace gpuexec::rpc;
using namespace std::chrono_literals;

// A yield that takes longer than LONG_YIELD means that other threads keep the
// processor. For the time NO_YIELDS the thread then sleeps instead, because the
// scheduler may prefer a thread that wakes up.
static constexpr auto LONG_YIELD = 150us;
static constexpr auto NO_YIELDS = 20ms;
// While the device's own threads serve, a polling thread sleeps for this time
// between two looks at the mailbox.
static constexpr auto WHILE_GUEST_SERVES = 1ms;
// A polling thread other than the first is parked when it has found nothing for
// this time.
static constexpr auto PARK_AFTER = 2ms;
// A thread whose pass takes longer than LONG_PASS under contention asks for
// help, at most once per HELP_INTERVAL. (Without contention a long pass may
// only mean that the machine is busy with something else.)
static constexpr auto LONG_PASS = 60us;
static constexpr auto HELP_INTERVAL = 200us;
// If MANY_POLLERS threads or more may poll, a thread that has had contention in
// every pass for LONG_CONTENTION asks for help as well.
static constexpr unsigned MANY_POLLERS = 4;
static constexpr auto LONG_CONTENTION = 100us;
// The largest number of threads for services that take long.
static constexpr unsigned MAX_BACKGROUND_THREADS = 64;
// On a machine with PROCESSORS_TO_SPARE or more, a background thread looks for
// another service for LOOK_FOR_BACKGROUND before it sleeps: a program often
// makes its next library call soon, and waking a thread takes as long as a GPU
// needs for a small call.
static constexpr auto LOOK_FOR_BACKGROUND = 50us;
static constexpr unsigned PROCESSORS_TO_SPARE = 8;

static void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

WorkerPool::WorkerPool(PortTable &table, OutcomeRecord &outcome,
                       unsigned max_threads)
    : table(table), outcome(outcome), poller([this](void *wait) {
        make_runnable(*static_cast<ExternalWait *>(wait));
      }) {
  unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  max_pollers = max_threads == NO_POLLING_THREADS ? 0
                : max_threads                     ? max_threads
                : cores <= 2                      ? cores
                                                  : std::min(8u, cores / 2);
}

WorkerPool::~WorkerPool() { stop(); }

//===-- Beginning and end -------------------------------------------------===//

bool WorkerPool::start_thread(bool polls) {
  Worker &worker = workers.emplace_back();
  worker.polls = polls;
  worker.number = polls ? pollers : unsigned(workers.size());
  if (!worker.thread.start([this, &worker, polls] {
        polls ? poll(worker) : run_background_thread(worker);
      })) {
    workers.pop_back();
    return false;
  }
  pollers += polls;
  return true;
}

void WorkerPool::start() {
  {
    std::lock_guard lock(threads_mutex);
    if (running)
      return;
    running = true;
    stopping = false;
    started = Clock::now();
    if (table.lockstep() || !max_pollers || start_thread(/*polls=*/true))
      return;
  }
  outcome.fail("no thread to be had for the calls of the host");
}

void WorkerPool::stop() {
  {
    std::lock_guard lock(threads_mutex);
    stopping = true;
    help_wanted.notify_all();
  }
  {
    std::lock_guard lock(background_mutex);
    background_added.notify_all();
  }
  wake_sleepers();
  // `stopping` ends a drain() or serve_here() in another thread; this waits for
  // its end.
  std::scoped_lock others(drain_mutex, guest_mutex);
  // A thread that still runs a service may start another thread, which is put
  // behind it in `workers`.
  for (size_t i = 0;; ++i) {
    Worker *worker;
    {
      std::lock_guard lock(threads_mutex);
      if (i >= workers.size())
        break;
      worker = &workers[i];
    }
    if (worker->thread.joinable())
      worker->thread.join();
  }
  poller.stop();
  table.destroy_requests();
  ready.clear();
  background.clear();
  background_count = 0;
  ready_count = 0;
  if (running)
    stopped = Clock::now();
  running = false;
}

void WorkerPool::drain() {
  std::lock_guard one(drain_mutex);
  Lockstep *lockstep = table.lockstep();
  if (lockstep)
    lockstep->begin_turn();
  table.set_draining(true);
  llvm::scope_exit end_turn([&] {
    table.set_draining(false);
    if (lockstep)
      lockstep->end_turn();
  });
  for (;;) {
    if (outcome.finished() || given_up || stopping)
      return;
    const bool was_locked = table.any_locked();
    if (pass(own_worker))
      continue;
    // In lockstep: drop services that wait for another turn, which never comes.
    if (lockstep && !was_locked && !ready_count.load() && table.drop_all())
      return;
    if (table.any_locked()) {
      drop_readers();
      std::this_thread::sleep_for(20us);
      continue;
    }
    if (!table.any_pending() && !ready_count.load() && table.drop_all())
      return;
  }
}

/// Drops the requests that wait to read from a file: their waves have ended.
/// Services in a short sleep, such as a replayed call that waits for other
/// calls, go on.
void WorkerPool::drop_readers() {
  for (void *wait : poller.take_readers())
    table.drop_locked(*static_cast<ExternalWait *>(wait)->port);
}

void WorkerPool::interrupt_waits() {
  for (void *wait : poller.take_readers())
    make_runnable(*static_cast<ExternalWait *>(wait));
}

//===-- Services that continue --------------------------------------------===//

bool WorkerPool::pass(Worker &worker) {
  bool worked = run_ready(worker);
  if (table.lockstep())
    return table.pass_in_turn(worker) || worked;
  return table.pass(worker, active_pollers.load(std::memory_order_relaxed)) ||
         worked;
}

bool WorkerPool::serve_here() {
  std::unique_lock one(guest_mutex, std::try_to_lock);
  if (!one || !running || stopping || !pass(guest))
    return false;
  guest_passes.fetch_add(1, std::memory_order_relaxed);
  return true;
}

/// Whether the device's own threads have served requests since the polling
/// thread last looked.
bool WorkerPool::guest_serves(Worker &worker) {
  const uint64_t now = guest_passes.load(std::memory_order_relaxed);
  return std::exchange(worker.guest_passes, now) != now;
}

void WorkerPool::make_runnable(ExternalWait &wait) {
  Continuation item{wait.port, wait.waiter};
  {
    std::lock_guard lock(ready_mutex);
    ready.push_back(item);
    ready_count.fetch_add(1);
  }
  if (table.lockstep())
    turn_changed.notify_all();
  wake_sleepers();
}

bool WorkerPool::run_ready(Worker &worker) {
  if (!ready_count.load(std::memory_order_relaxed) || outcome.finished())
    return false;
  bool worked = false;
  // Runs only those that are ready now; then the ports are served.
  for (uint32_t left = ready_count.load(); left; --left) {
    Continuation item;
    {
      std::lock_guard lock(ready_mutex);
      if (ready.empty())
        break;
      item = ready.front();
      ready.pop_front();
      ready_count.fetch_sub(1);
    }
    table.resume(worker, *item.port, item.waiter);
    worked = true;
  }
  return worked;
}

//===-- Polling threads ---------------------------------------------------===//

void WorkerPool::poll(Worker &worker) {
  block_signals();
  prctl(PR_SET_TIMERSLACK, 1000UL); // sleeps of 20 us are to be 20 us
  Clock::time_point idle_since = {};
  unsigned empty_passes = 0;
  bool long_before = false;
  uint32_t ended_before = 0; // background_ended, when last looked at
  Clock::time_point contention_since = Clock::now();
  while (!stopping.load(std::memory_order_relaxed)) {
    if (outcome.finished()) {
      // Nothing is served any more; wait for stop().
      timed_wait(10ms);
      continue;
    }
    auto begin = Clock::now();
    if (!pass(worker)) {
      contention_since = begin;
      const uint32_t ended = background_ended.load(std::memory_order_relaxed);
      // The time in which the program waited for a background service is no
      // pause: start to count again.
      const bool starts_again = empty_passes && ended != ended_before;
      if (starts_again)
        worker.idle_ns += (begin - idle_since).count();
      if (!empty_passes++ || starts_again)
        idle_since = begin;
      ended_before = ended;
      back_off(worker, begin, idle_since);
      continue;
    }
    if (empty_passes) {
      worker.idle_ns += (begin - idle_since).count();
      worker.pauses.ended(begin - idle_since);
      empty_passes = 0;
      worker.wake_cost.interrupted();
    }
    auto end = Clock::now();
    bool is_long = end - begin > LONG_PASS;
    if (worker.served < CONTENTION)
      contention_since = end;
    bool long_contention =
        max_pollers >= MANY_POLLERS && end - contention_since > LONG_CONTENTION;
    if (max_pollers > 1 && (is_long || long_before || long_contention) &&
        worker.served >= CONTENTION)
      ask_for_help();
    long_before = is_long;
  }
  if (empty_passes)
    worker.idle_ns += (Clock::now() - idle_since).count();
}

void WorkerPool::back_off(Worker &worker, Clock::time_point now,
                          Clock::time_point since) {
  auto idle = now - since;
  if (guest_serves(worker)) {
    timed_wait(WHILE_GUEST_SERVES);
    return;
  }
  Idle step = idle_step(idle, worker.pauses);
  if (step == Idle::look) {
    pause_briefly();
    return;
  }
  if (step == Idle::yield && now >= worker.no_yields_until) {
    sched_yield();
    if (auto then = Clock::now(); then - now > LONG_YIELD)
      worker.no_yields_until = then + NO_YIELDS;
    return;
  }
  if (worker.number && idle > PARK_AFTER) // the first is never parked
    return park(worker);
  timed_wait(sleep_length(idle, worker.wake_cost.each()));
  worker.wake_cost.slept();
}

void WorkerPool::park(Worker &worker) {
  std::unique_lock lock(threads_mutex);
  ++parked;
  worker.polls = false;
  assign_shares();
  help_wanted.wait(lock, [&] { return called || stopping; });
  --parked;
  worker.polls = true;
  assign_shares();
  if (called)
    --called;
}

/// Sleeps until wake_sleepers(), or for `time`.
void WorkerPool::timed_wait(std::chrono::nanoseconds time) {
  uint32_t word = wake_word.load();
  sleepers.fetch_add(1);
  if (!ready_count.load() && !stopping.load()) {
    timespec limit = {time.count() / 1'000'000'000,
                      long(time.count() % 1'000'000'000)};
    syscall(SYS_futex, &wake_word, FUTEX_WAIT_PRIVATE, word, &limit, nullptr,
            0);
  }
  sleepers.fetch_sub(1);
}

void WorkerPool::wake_sleepers() {
  wake_word.fetch_add(1);
  if (sleepers.load())
    syscall(SYS_futex, &wake_word, FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr,
            nullptr, 0);
}

/// Numbers the threads that poll. threads_mutex is held.
void WorkerPool::assign_shares() {
  uint32_t count = 0;
  for (Worker &worker : workers)
    if (worker.polls)
      worker.share.store(count++, std::memory_order_relaxed);
  active_pollers.store(count, std::memory_order_relaxed);
}

void WorkerPool::ask_for_help() {
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
  } else if (pollers < max_pollers) {
    start_thread(/*polls=*/true); // on failure the others go on alone
    assign_shares();
  }
}

//===-- Background threads ------------------------------------------------===//

void WorkerPool::run_in_background(ExternalWait &wait) {
  Continuation item{wait.port, wait.waiter};
  std::unique_lock lock(background_mutex);
  background.push_back(item);
  background_count.fetch_add(1);
  in_background.fetch_add(1);
  background_since = Clock::now().time_since_epoch().count();
  if (idle_background_threads >= background.size()) {
    background_added.notify_one();
  } else if (background_threads < MAX_BACKGROUND_THREADS) {
    std::lock_guard threads(threads_mutex);
    if (start_thread(/*polls=*/false)) {
      ++background_threads;
    } else if (!background_threads) { // a polling thread runs the service
      background.pop_back();
      background_count.fetch_sub(1);
      in_background.fetch_sub(1);
      lock.unlock();
      make_runnable(wait);
    }
  }
}

void WorkerPool::run_background_thread(Worker &worker) {
  block_signals();
  std::unique_lock lock(background_mutex);
  while (!stopping) {
    if (background.empty()) {
      ++idle_background_threads;
      lock.unlock();
      look_for_background();
      lock.lock();
      if (background.empty() && !stopping)
        background_added.wait(lock);
      --idle_background_threads;
      continue;
    }
    Continuation item = background.front();
    background.pop_front();
    background_count.fetch_sub(1);
    lock.unlock();
    table.resume(worker, *item.port, item.waiter);
    in_background.fetch_sub(1);
    background_ended.fetch_add(1);
    wake_sleepers(); // the next call may come soon
    if (table.lockstep()) {
      // A thread in await_service() has evaluated its condition before or after
      // this, so that it cannot miss the notification.
      { std::lock_guard order(ready_mutex); }
      turn_changed.notify_all();
    }
    lock.lock();
  }
}

void WorkerPool::look_for_background() {
  static const bool has_spare =
      std::thread::hardware_concurrency() >= PROCESSORS_TO_SPARE;
  const Clock::time_point end = Clock::now() + LOOK_FOR_BACKGROUND;
  while (has_spare && !background_count.load(std::memory_order_relaxed) &&
         !stopping.load(std::memory_order_relaxed) && Clock::now() < end)
    pause_briefly();
}

//===-- Statistics --------------------------------------------------------===//

std::string WorkerPool::stats_table(const Registry &registry) const {
  std::lock_guard lock(threads_mutex);
  std::vector<StatsRow> rows;
  for (const auto &operation : registry.all()) {
    StatsRow row{operation->name, {}};
    auto add = [&](const Worker &worker) {
      if (const OperationStats *found = worker.stats.find(operation->index))
        row.stats.add(*found);
    };
    for (const Worker &worker : workers)
      add(worker);
    add(own_worker);
    add(guest);
    if (row.stats.requests)
      rows.push_back(std::move(row));
  }
  std::chrono::nanoseconds idle(
      workers.empty() ? 0 : workers.front().idle_ns.load());
  auto end = running ? Clock::now() : stopped;
  return format_stats(std::move(rows), unsigned(workers.size()), idle,
                      end - started);
}
