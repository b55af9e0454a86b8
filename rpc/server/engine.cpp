//===-- rpc/server/engine.cpp - Threads that watch the mailbox
//-------------===//
// What happens to a port, and to a request. The threads are in threads.cpp.
//===----------------------------------------------------------------------===//
#include "rpc/server/engine.h"
#include "rpc/server/trace.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <thread>

using namespace gpuexec::rpc;

// Ports are claimed so many at a time: those whose mailbox words share a line
// of the cache. Where a device writes over a bus, taking each for itself means
// to wait for memory several times a port.
static constexpr unsigned CLAIM = 64 / sizeof(uint32_t);
// Threads for services that take long.
static constexpr unsigned MAX_WORKERS = 64;
// One pass in so many looks at every port, however many wait in a thread's own.
static constexpr unsigned SHARED_PASS = 16;
// After so long, whoever else is awake may have the rest of them.
static constexpr std::chrono::microseconds LONG_SERVICE(10);
// A look at the clock takes as long as a short service: one for so many.
static constexpr unsigned LOOKS_AT_CLOCK = 4;

Engine::Engine(const Layout &layout, void *buffer, EngineOptions options)
    : options(std::move(options)), mailbox(layout, buffer),
      ports(std::make_unique<Port[]>(mailbox.ports())),
      busy(std::make_unique<std::atomic<uint64_t>[]>(mailbox.groups())),
      poller([this](void *wait) {
        make_runnable(*static_cast<ExternalWait *>(wait));
      }) {
  for (uint32_t i = 0; i < mailbox.ports(); ++i) {
    ports[i].engine = this;
    ports[i].mailbox = &mailbox;
    ports[i].slot = i;
  }
  unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  max_watchers = this->options.max_threads
                     ? this->options.max_threads
                     : (cores <= 2 ? cores : std::min(8u, cores / 2));
}

Engine::~Engine() { stop(); }

void Engine::add(uint32_t opcode, Operation operation) {
  operation.index = unsigned(by_index.size());
  auto &slot = operations[opcode];
  slot = std::make_unique<Operation>(std::move(operation));
  by_index.push_back(slot.get());
}

//===-- Outcome
//-------------------------------------------------------------===//

std::optional<Outcome> Engine::outcome() const {
  std::lock_guard lock(outcome_mutex);
  return first_outcome;
}

void Engine::finish(Outcome outcome) {
  {
    std::lock_guard lock(outcome_mutex);
    if (first_outcome)
      return;
    first_outcome = std::move(outcome);
    has_outcome.store(true, std::memory_order_release);
  }
  if (notifier)
    notifier();
}

void Engine::output_was_lost(Outcome outcome) {
  std::lock_guard lock(outcome_mutex);
  if (first_outcome && (first_outcome->kind != Outcome::Kind::exit ||
                        first_outcome->status != 0))
    return;
  first_outcome = std::move(outcome);
  has_outcome.store(true, std::memory_order_release);
}

void Engine::fail(const Port &port, const std::string &reason) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::error;
  outcome.status = 125;
  outcome.message =
      llvm::formatv("{0}: RPC port {1}: {2}",
                    options.program_name.empty() ? "program"
                                                 : options.program_name,
                    port.slot, reason)
          .str();
  finish(std::move(outcome));
}

//===-- A port's turn
//--------------------------------------------------------===//

bool Engine::try_lock(uint32_t port) {
  uint64_t bit = uint64_t(1) << (port % 64);
  return !(busy[port / 64].fetch_or(bit, std::memory_order_acquire) & bit);
}

void Engine::unlock(uint32_t port) {
  busy[port / 64].fetch_and(~(uint64_t(1) << (port % 64)),
                            std::memory_order_release);
}

bool Engine::any_busy() const {
  for (uint32_t group = 0; group < mailbox.groups(); ++group)
    if (busy[group].load(std::memory_order_acquire))
      return true;
  return false;
}

bool Engine::pass(Runner &runner) {
  bool worked = run_ready(runner);
  runner.served = 0;
  uint32_t groups = mailbox.groups();
  // In a crowd every thread keeps to its own share, so that a line that the
  // device writes is not fetched by all of them; but not always, for who has
  // another share may be busy with something that takes long.
  uint32_t step = sharers.load(std::memory_order_relaxed);
  if (step > 1 && ++runner.passes % SHARED_PASS) {
    uint32_t share = runner.share.load(std::memory_order_relaxed);
    for (uint32_t group = share; group < groups; group += step)
      worked |= look_at(runner, group);
    if (runner.served >= CROWD)
      return worked;
  }
  // Threads begin at different places, to meet seldom.
  uint32_t first = groups > 1 ? runner.number * (groups / 2 + 1) % groups : 0;
  for (uint32_t i = 0; i < groups; ++i)
    worked |=
        look_at(runner, first + i < groups ? first + i : first + i - groups);
  return worked;
}

bool Engine::look_at(Runner &runner, uint32_t group) {
  bool worked = false;
  uint64_t bits = mailbox.pending(group);
  while (bits && !finished()) {
    unsigned first_bit = llvm::countr_zero(bits) / CLAIM * CLAIM;
    uint64_t some = bits & ((uint64_t(1) << CLAIM) - 1) << first_bit;
    bits &= ~some;
    worked |= serve_some(runner, group, some);
  }
  return worked;
}

bool Engine::serve_some(Runner &runner, uint32_t group, uint64_t bits) {
  bits &= ~busy[group].load(std::memory_order_relaxed);
  if (!bits)
    return false;
  bits &= ~busy[group].fetch_or(bits, std::memory_order_acquire);
  for (uint64_t left = bits; left; left &= left - 1) {
    uint32_t port = group * 64 + uint32_t(llvm::countr_zero(left));
    __builtin_prefetch(&mailbox.header(port));
    __builtin_prefetch(&ports[port], 1);
  }
  mailbox.prefetch_columns(group, bits);
  uint64_t ours = bits;
  bool worked = false;
  unsigned served = 0;
  Poller::Clock::time_point begin;
  if (unsigned(llvm::popcount(bits)) > LOOKS_AT_CLOCK)
    begin = Poller::Clock::now();
  for (uint64_t left = bits; left; left &= left - 1) {
    uint32_t port = group * 64 + uint32_t(llvm::countr_zero(left));
    if (!mailbox.arrived(port))
      continue;
    if (!serve(runner, port))
      ours &= ~(left & -left);
    ++runner.served;
    worked = true;
    if (finished())
      break;
    // The others shall not wait for those that take long.
    if (++served % LOOKS_AT_CLOCK == 0 && (left & (left - 1)) &&
        Poller::Clock::now() - begin > LONG_SERVICE)
      break;
  }
  busy[group].fetch_and(~ours, std::memory_order_release);
  return worked;
}

bool Engine::pass() { return pass(own_runner); }

bool Engine::serve(Runner &runner, uint32_t index) {
  Port &port = ports[index];
  if (!port.task)
    return open(runner, port);
  if (port.waiting->advance())
    return resume(runner, port, port.waiting->waiter);
  return true;
}

// Spec section 2.3: the client's first send.
bool Engine::open(Runner &runner, Port &port) {
  rpc_header &header = mailbox.header(port.slot);
  // Once each: the device may still change them.
  uint64_t mask =
      std::atomic_ref(header.lane_mask).load(std::memory_order_relaxed);
  uint32_t code =
      std::atomic_ref(header.opcode).load(std::memory_order_relaxed);
  port.columns = 0;
  if (code & RPC_COLUMNS && !mailbox.is_express(port.slot)) {
    code &= ~RPC_COLUMNS;
    uint32_t wanted =
        std::atomic_ref(header.columns).load(std::memory_order_relaxed);
    port.columns = std::clamp(wanted, 1u, RPC_COLUMNS_WORDS);
  }
  port.lane_mask.store(mask, std::memory_order_relaxed);
  port.code.store(code, std::memory_order_relaxed);
  port.owns = port.received = false;
  port.bytes = 0;
  uint32_t lanes = mailbox.lanes();
  uint64_t all = lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << lanes) - 1;
  if (!port.try_own())
    return true;
  if (!mask && mailbox.is_express(port.slot)) {
    fail(port, llvm::formatv("an express request with a bad tag or more "
                             "than {0} words",
                             RPC_EXPRESS_WORDS));
    return true;
  }
  if (mask == 0 || (mask & ~all)) {
    fail(port, llvm::formatv("lane mask {0:x}, expected lanes below {1}", mask,
                             lanes));
    return true;
  }
  auto found = operations.find(code);
  if (found == operations.end()) {
    std::string kind;
    char letter = char(RPC_OPCODE_CLASS(code));
    if (llvm::isPrint(letter) && letter != ' ')
      kind = llvm::formatv(" of class '{0}'", letter);
    fail(port, llvm::formatv("opcode {0:x}{1} is unknown to this server", code,
                             kind));
    return true;
  }
  port.operation = found->second.get();
  port.in_use.store(true, std::memory_order_relaxed);
  if (options.stats || options.trace)
    port.begin = std::chrono::steady_clock::now();
  port.task = port.operation->run(port.operation->context, port);
  port.waiting = nullptr;
  port.runner = &runner;
  runner.handed_off = false;
  port.task.resume();
  if (runner.handed_off)
    return false; // whoever it waits for may already run it elsewhere
  if (port.task.done())
    complete(runner, port);
  return true;
}

bool Engine::resume(Runner &runner, Port &port,
                    std::coroutine_handle<> waiter) {
  port.waiting = nullptr;
  port.runner = &runner;
  runner.handed_off = false;
  waiter.resume();
  if (runner.handed_off)
    return false;
  if (port.task.done())
    complete(runner, port);
  return true;
}

// Spec section 2.5: after a receive the port goes back to the client.
void Engine::complete(Runner &runner, Port &port) {
  port.task.reset();
  port.in_use.store(false, std::memory_order_relaxed);
  if (port.owns)
    port.hand_over();
  if (!options.stats && !options.trace)
    return;
  auto end = std::chrono::steady_clock::now();
  if (options.stats)
    runner.stats.add(port.operation->index, end - port.begin, port.lane_count(),
                     port.bytes);
  if (options.trace)
    options.trace->event("rpc", port.operation->name, 1000 + port.slot,
                         port.begin, end,
                         llvm::formatv("\"lanes\":{0},\"bytes\":{1}",
                                       port.lane_count(), port.bytes)
                             .str());
}

// The wave is gone; what it asked for is forgotten, and the port made usable.
void Engine::drop(Port &port) {
  port.task.reset();
  port.in_use.store(false, std::memory_order_relaxed);
  port.waiting = nullptr;
  if (port.owns || mailbox.inbox(port.slot) != mailbox.outbox(port.slot))
    mailbox.hand_over(port.slot);
  port.owns = port.received = false;
}

//===-- Waits for something other than a packet
//------------------------------===//

void ExternalWait::hand_off(std::coroutine_handle<> handle) {
  waiter = handle;
  port->runner->handed_off = true;
}

void Engine::FileWait::await_suspend(std::coroutine_handle<> handle) {
  hand_off(handle);
  // A copy of what is needed: this object may be gone before add() returns.
  Engine &engine = port->owner();
  engine.poller.add(fd, events, deadline, static_cast<ExternalWait *>(this));
}

void Engine::Background::await_suspend(std::coroutine_handle<> handle) {
  hand_off(handle);
  Engine &engine = port->owner();
  Ready item{port, handle};
  std::unique_lock lock(engine.work_mutex);
  engine.slow.push_back(item);
  if (engine.idle_workers >= engine.slow.size()) {
    engine.work_there.notify_one();
  } else if (engine.worker_count < MAX_WORKERS) {
    if (engine.add_worker()) {
      ++engine.worker_count;
    } else if (!engine.worker_count) { // then not in the background
      engine.slow.pop_back();
      lock.unlock();
      engine.make_runnable(*this);
    }
  }
}

void Engine::make_runnable(ExternalWait &wait) {
  Ready item{wait.port, wait.waiter};
  {
    std::lock_guard lock(ready_mutex);
    ready.push_back(item);
    ready_count.fetch_add(1);
  }
  wake_dozers();
}

bool Engine::run_ready(Runner &runner) {
  if (!ready_count.load(std::memory_order_relaxed) || finished())
    return false;
  bool worked = false;
  // Only what is there now, so that ports have their turn.
  for (uint32_t left = ready_count.load(); left; --left) {
    Ready item;
    {
      std::lock_guard lock(ready_mutex);
      if (ready.empty())
        break;
      item = ready.front();
      ready.pop_front();
      ready_count.fetch_sub(1);
    }
    if (resume(runner, *item.port, item.waiter))
      unlock(item.port->slot);
    worked = true;
  }
  return worked;
}

std::string Engine::open_ports() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (uint32_t i = 0; i < mailbox.ports(); ++i) {
    const Port &port = ports[i];
    bool ours = mailbox.inbox(i) != mailbox.outbox(i);
    bool in_use = port.in_use.load(std::memory_order_relaxed);
    if (!in_use && !ours)
      continue;
    uint32_t code = port.opcode();
    uint64_t mask = port.mask();
    if (!in_use) { // not even begun
      code = std::atomic_ref(mailbox.header(i).opcode).load() & ~RPC_COLUMNS;
      mask = std::atomic_ref(mailbox.header(i).lane_mask).load();
    }
    auto found = operations.find(code);
    bool locked = busy[i / 64].load() >> (i % 64) & 1;
    out << llvm::formatv("port {0}: {1}, lanes {2:x}, waiting for the {3}\n", i,
                         found != operations.end()
                             ? found->second->name
                             : llvm::formatv("opcode {0:x}", code).str(),
                         mask, ours || locked ? "host" : "device");
  }
  return text;
}
