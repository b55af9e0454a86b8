//===-- rpc/server/worker_pool.h - Threads that serve -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polling threads look at the mailbox and run services. There is one at first;
// more are started under contention, and parked when it is over. back_off.h
// decides how a thread without work polls. Background threads run services that
// take long, and one more thread waits for files (poller.h).
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
  /// `max_threads`: the largest number of polling threads; 0: chosen by the
  /// number of processors.
  WorkerPool(PortTable &table, OutcomeRecord &outcome, unsigned max_threads);
  ~WorkerPool();

  /// Starts the first thread. If the system has none, the program's outcome is
  /// an error.
  void start();
  /// Called when the kernel has ended: serves pending requests and drops those
  /// that wait for their wave. Must not be called by a thread of the pool.
  void drain();
  /// drain() returns at once from now on.
  void give_up() { given_up = true; }
  /// Ends all threads and drops every request.
  void stop();
  /// Looks once at every port and at services that can continue, in the calling
  /// thread: for drain() and for tests without threads. True when there was
  /// something to do.
  bool pass() { return pass(own_worker); }
  /// As Server::serve_here().
  bool serve_here();

  //===-- In lockstep (lockstep.h) ----------------------------------------===//
  /// As Server::turn() and Server::halt().
  bool turn(uint64_t step, bool idle, uint64_t &ticks);
  void halt();

  //===-- Waits: from the thread that runs the service --------------------===//
  void wait_for_file(ExternalWait &wait, int fd, short events,
                     Poller::Clock::time_point deadline) {
    poller.add(fd, events, deadline, &wait);
  }
  void run_in_background(ExternalWait &wait);
  /// Lets services that wait for a file to read, or for a time, look again.
  /// From any thread.
  void interrupt_waits();
  /// Ends the wait: a polling thread resumes the service. From any thread;
  /// `wait` may be destroyed before this returns.
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

  /// Starts a polling thread or a background thread; false when the system has
  /// none. threads_mutex is held.
  bool start_thread(bool polls);

  void poll(Worker &worker);
  void back_off(Worker &worker, Clock::time_point now, Clock::time_point since);
  bool guest_serves(Worker &worker);
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
  std::atomic<uint32_t> background_count = 0; // background.size(), lock-free
  unsigned idle_background_threads = 0, background_threads = 0;
  std::atomic<uint32_t> background_ended = 0; // services that have ended

  // In lockstep. `turn_changed`, with ready_mutex: a service can continue or
  // has ended in the background, or `halting` or `halted` is set.
  std::condition_variable turn_changed;
  std::atomic<uint32_t> in_background = 0;   // services queued or running there
  std::atomic<int64_t> background_since = 0; // when the last one was queued
  std::atomic<bool> halting = false;
  unsigned vain_turns = 0; // consecutive idle turns without a service
  bool halted = false;     // ready_mutex protects it

  // Threads of both kinds.
  mutable std::mutex threads_mutex;
  std::deque<Worker> workers;
  std::condition_variable help_wanted;
  unsigned pollers = 0, parked = 0, called = 0;
  unsigned max_pollers = 1;
  std::atomic<uint32_t> active_pollers = 1; // polling threads not parked
  std::atomic<int64_t> last_call_ns = 0;    // time of the last ask_for_help()
  std::atomic<bool> stopping = false;
  std::atomic<uint32_t> wake_word = 0; // a futex
  std::atomic<uint32_t> sleepers = 0;
  Worker own_worker; // of pass() and drain()
  // serve_here(): threads of the device, one at a time.
  std::mutex guest_mutex;
  Worker guest;
  std::atomic<uint64_t> guest_passes = 0; // in which it served something
  std::mutex drain_mutex;
  std::atomic<bool> given_up = false;

  Clock::time_point started, stopped;
  std::atomic<bool> running = false;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_WORKER_POOL_H
