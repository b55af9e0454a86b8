//===-- rpc/server/worker_pool.h - Threads that serve -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polling threads look at the mailbox and run services. There is one at first;
// more are started under contention, and parked when it is over. What a thread
// without work does is back_off.h's. Background threads run services that take
// long, and one thread of its own waits for files (poller.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_WORKER_POOL_H
#define GPUEXEC_RPC_SERVER_WORKER_POOL_H

#include "rpc/server/poller.h"
#include "rpc/server/port_table.h"
#include <condition_variable>
#include <deque>
#include <mutex>

namespace gpuexec::rpc {

class WorkerPool {
public:
  /// `max_threads`: that poll; 0: as many as the machine sensibly gives.
  WorkerPool(PortTable &table, OutcomeRecord &outcome, unsigned max_threads);
  ~WorkerPool();

  /// Without a thread to be had the program's outcome is an error.
  void start();
  /// The kernel is done: serves what is pending and drops requests whose waves
  /// are gone. Not to be called by a thread of the pool.
  void drain();
  /// drain() returns at once from now on.
  void give_up() { given_up = true; }
  /// Ends all threads and drops every request.
  void stop();
  /// One look at every port, and at services that can continue, by the calling
  /// thread: for drain() and for tests without threads. True when there was
  /// something to do.
  bool pass() { return pass(own_worker); }

  //===-- In lockstep (lockstep.h) ----------------------------------------===//
  /// Serves what waits. `idle`: the device waits for nothing else; then that
  /// takes until something is there, within limits. `ticks`: by how much the
  /// device's clock is to be put forward. False: the device is to make no
  /// further step.
  bool turn(uint64_t step, bool idle, uint64_t &ticks);
  /// From another thread: the device's next turn is its last. Returns when it
  /// is over, or when there is none for a while.
  void halt();

  //===-- Waits: from the thread that runs the service --------------------===//
  void wait_for_file(ExternalWait &wait, int fd, short events,
                     Poller::Clock::time_point deadline) {
    poller.add(fd, events, deadline, &wait);
  }
  void run_in_background(ExternalWait &wait);
  /// From any thread: the wait is over. `wait` may be gone on return.
  void make_runnable(ExternalWait &wait);

  /// The table of --rpc-stats.
  std::string stats_table(const Registry &registry) const;

private:
  using Clock = Poller::Clock;
  /// A service that can continue.
  struct Continuation {
    Port *port;
    std::coroutine_handle<> waiter;
  };

  bool pass(Worker &worker);
  void serve_turn();
  uint64_t idle_turn();
  bool await_service(Clock::time_point until);
  bool run_ready(Worker &worker);
  void drop_readers();

  /// Starts a thread that polls or one for the background; false when there is
  /// none to be had. threads_mutex is held.
  bool start_thread(bool polls);

  void poll(Worker &worker);
  void back_off(Worker &worker, Clock::time_point now, Clock::time_point since);
  void park(Worker &worker);
  void timed_wait(std::chrono::nanoseconds time);
  void wake_sleepers();
  void ask_for_help();
  void assign_shares();

  void run_background_thread(Worker &worker);
  void look_for_background();

  PortTable &table;
  OutcomeRecord &outcome;
  Poller poller;

  // Services that can continue, for any polling thread.
  std::mutex ready_mutex;
  std::deque<Continuation> ready;
  std::atomic<uint32_t> ready_count = 0;

  // Services for the background threads.
  std::mutex background_mutex;
  std::condition_variable background_added;
  std::deque<Continuation> background;
  std::atomic<uint32_t> background_count = 0; // of them, to be looked at
  unsigned idle_background_threads = 0, background_threads = 0;
  std::atomic<uint32_t> background_ended = 0; // services, so far

  // In lockstep. `turn_changed`: a service can continue, or halted is set; with
  // ready_mutex.
  std::condition_variable turn_changed;
  std::atomic<uint32_t> in_background = 0;   // services
  std::atomic<int64_t> background_since = 0; // when the last one began
  std::atomic<bool> halting = false;
  unsigned vain_turns = 0; // in a row, in which the device only waited
  bool halted = false;     // under ready_mutex

  // Threads of both kinds.
  mutable std::mutex threads_mutex;
  std::deque<Worker> workers;
  std::condition_variable help_wanted;
  unsigned pollers = 0, parked = 0, called = 0;
  unsigned max_pollers = 1;
  std::atomic<uint32_t> active_pollers = 1; // that are not parked
  std::atomic<int64_t> last_call_ns = 0;    // of ask_for_help()
  std::atomic<bool> stopping = false;
  std::atomic<uint32_t> wake_word = 0; // a futex
  std::atomic<uint32_t> sleepers = 0;
  Worker own_worker; // of pass() and drain()
  std::mutex drain_mutex;
  std::atomic<bool> given_up = false;

  Clock::time_point started, stopped;
  bool running = false;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_WORKER_POOL_H
