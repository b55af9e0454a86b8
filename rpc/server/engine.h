//===-- rpc/server/engine.h - Threads that watch the mailbox ----*- C++ -*-===//
// Finds ports that wait, runs the service of their opcode, and puts a service
// aside while its wave, a file or a lock keeps it waiting. Every port has a bit
// in `busy`; who sets it owns the Port, be it a thread or, while the service
// waits for something other than a packet, what will make it runnable again.
//
// One thread watches; more are started when ports queue, and end up parked when
// they no longer do. What a thread does without work is back_off.h's.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_ENGINE_H
#define GPUEXEC_RPC_SERVER_ENGINE_H

#include "rpc/server/back_off.h"
#include "rpc/server/mailbox.h"
#include "rpc/server/poller.h"
#include "rpc/server/port.h"
#include "rpc/server/server.h"
#include "rpc/server/stats.h"
#include "support/thread.h"
#include <condition_variable>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace gpuexec::rpc {

/// So many ports in one pass are a crowd.
inline constexpr unsigned CROWD = 4;

/// The service of one opcode. `run` is called for every request.
struct Operation {
  std::string name;
  Task<> (*run)(void *context, Port &port) = nullptr;
  void *context = nullptr;
  unsigned index = 0; // the engine's
};

/// A thread that serves, with what is its own.
struct Runner {
  Thread thread;
  bool handed_off = false; ///< the port it ran belongs to someone else now
  unsigned number = 0;
  unsigned served = 0; ///< ports in the last pass
  unsigned passes = 0;
  bool watches = false;            ///< and is not parked
  std::atomic<uint32_t> share = 0; ///< among those that watch
  ThreadStats stats;
  std::atomic<int64_t> idle_ns = 0;
  Poller::Clock::time_point no_yields_until = {}; ///< others keep the processor
  WakeCost wake_cost;
};

/// A service that waits for something other than a packet: the port stays
/// locked and whoever holds the wait calls Engine::make_runnable.
class ExternalWait {
public:
  explicit ExternalWait(Port &port) : port(&port) {}

  Port *port;
  std::coroutine_handle<> waiter;

protected:
  /// To be called before anyone else can see this object.
  void hand_off(std::coroutine_handle<> handle);
};

struct EngineOptions {
  Trace *trace = nullptr;
  bool stats = false;
  unsigned max_threads = 0;
  std::string program_name;
};

class Engine {
public:
  Engine(const Layout &layout, void *buffer, EngineOptions options);
  ~Engine();

  /// Before start(). A later operation of the same opcode replaces the first.
  void add(uint32_t opcode, Operation operation);
  bool serves(uint32_t opcode) const { return operations.contains(opcode); }

  void start();
  /// The kernel is done: serves what is pending, drops requests of waves that
  /// are gone. Called from a thread that is not the engine's.
  void drain();
  /// Ends all threads and drops every request.
  void stop();
  /// One look at every port from the calling thread: for drain() and for tests
  /// that have no threads. True when there was something to do.
  bool pass();
  void set_lanes(uint32_t lanes) { mailbox.set_lanes(lanes); }

  void set_notifier(std::function<void()> f) { notifier = std::move(f); }
  std::optional<Outcome> outcome() const;
  bool finished() const { return has_outcome.load(std::memory_order_acquire); }
  /// The first call counts; no new request is served after it.
  void finish(Outcome outcome);
  /// The program ended, but not all of its output could be written: replaces
  /// "no outcome" and an exit with status 0.
  void output_was_lost(Outcome outcome);
  /// drain() returns at once from now on.
  void give_up() { given_up = true; }
  /// The device broke the protocol.
  void fail(const Port &port, const std::string &reason);

  /// `co_await engine.wait_for(port, fd, POLLIN);`: until the file is ready or
  /// `timeout` has passed.
  class FileWait : public ExternalWait {
  public:
    FileWait(Port &port, int fd, short events, Poller::Clock::time_point end)
        : ExternalWait(port), fd(fd), events(events), deadline(end) {}
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> handle);
    void await_resume() {}

  private:
    int fd;
    short events;
    Poller::Clock::time_point deadline;
  };
  FileWait wait_for(Port &port, int fd, short events) {
    return {port, fd, events, Poller::Clock::time_point::max()};
  }
  FileWait sleep(Port &port, std::chrono::milliseconds time) {
    return {port, -1, 0, Poller::Clock::now() + time};
  }

  /// `co_await engine.background(port);`: go on in a thread that may be slow.
  class Background : public ExternalWait {
  public:
    using ExternalWait::ExternalWait;
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> handle);
    void await_resume() {}
  };
  Background background(Port &port) { return Background(port); }

  /// From any thread: the wait is over. `wait` may be gone on return.
  void make_runnable(ExternalWait &wait);

  std::string stats_table() const;
  std::string open_ports() const;

  MemoryBudget budget{uint64_t(4) << 30};

private:
  friend class Port;
  struct Ready {
    Port *port;
    std::coroutine_handle<> waiter;
  };

  bool pass(Runner &runner);
  bool look_at(Runner &runner, uint32_t group);
  bool try_lock(uint32_t port);
  void unlock(uint32_t port);
  /// Claims those of ports 64 * group + `bits` that nobody has, and serves
  /// them. True when there was something to do.
  bool serve_some(Runner &runner, uint32_t group, uint64_t bits);
  /// Of a port that is locked; true: to be unlocked, false: somebody else has
  /// it now.
  bool serve(Runner &runner, uint32_t index);
  bool open(Runner &runner, Port &port);
  bool resume(Runner &runner, Port &port, std::coroutine_handle<> waiter);
  void complete(Runner &runner, Port &port);
  bool run_ready(Runner &runner);
  bool any_busy() const;
  void drop(Port &port);

  void watch(Runner &runner, bool first);
  void back_off(Runner &runner, Poller::Clock::time_point now,
                Poller::Clock::time_point since, bool first);
  void doze(std::chrono::nanoseconds time);
  void wake_dozers();
  void ask_for_help();
  void share_out();
  void work(Runner &runner);
  bool add_worker();

  EngineOptions options;
  Mailbox mailbox;
  std::unique_ptr<Port[]> ports;
  std::unique_ptr<std::atomic<uint64_t>[]> busy; // a bit per port
  std::unordered_map<uint32_t, std::unique_ptr<Operation>> operations;
  std::vector<const Operation *> by_index;
  Poller poller;

  // Services that can go on.
  std::mutex ready_mutex;
  std::deque<Ready> ready;
  std::atomic<uint32_t> ready_count = 0;

  // Services that a worker takes.
  std::mutex work_mutex;
  std::condition_variable work_there;
  std::deque<Ready> slow;
  unsigned idle_workers = 0, worker_count = 0;

  // Threads.
  mutable std::mutex threads_mutex;
  std::deque<Runner> runners;
  std::condition_variable help_wanted;
  unsigned watchers = 0, parked = 0, called = 0;
  std::atomic<uint32_t> sharers = 1; // watchers that are not parked
  std::atomic<int64_t> last_call_ns = 0;
  unsigned max_watchers = 1;
  std::atomic<bool> stopping = false;
  std::atomic<uint32_t> wake_word = 0;
  std::atomic<uint32_t> dozing = 0;
  Runner own_runner; // of pass() and drain()
  std::mutex drain_mutex;

  std::atomic<bool> given_up = false;
  std::atomic<bool> has_outcome = false;
  mutable std::mutex outcome_mutex;
  std::optional<Outcome> first_outcome;
  std::function<void()> notifier;

  Poller::Clock::time_point started, stopped;
  bool running = false;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_ENGINE_H
