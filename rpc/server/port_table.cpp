//===-- rpc/server/port_table.cpp - All ports of a mailbox ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/port_table.h"
#include "rpc/server/trace.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuexec::rpc;

// A thread locks all pending ports whose mailbox words share a cache line
// together: one fetch of the line, which the device writes over a bus, for all
// of them.
static constexpr unsigned LOCKED_TOGETHER = 64 / sizeof(uint32_t);
// One pass in this many looks at every port, even if ports of the thread's own
// share are waiting.
static constexpr unsigned SHARED_PASS = 16;
// A thread that has served one port for longer than this unlocks the rest of
// the ports that it has locked together, for other threads.
static constexpr std::chrono::microseconds LONG_SERVICE(10);
// Reading the clock takes as long as a short service, so the clock is read once
// for this many ports.
static constexpr unsigned LOOKS_AT_CLOCK = 4;

PortTable::PortTable(const Layout &layout, void *buffer,
                     const Registry &registry, PortContext &context, bool stats)
    : mailbox(layout, buffer), registry(registry), context(context),
      stats(stats), ports(std::make_unique<Port[]>(mailbox.ports())),
      locked(std::make_unique<std::atomic<uint64_t>[]>(mailbox.groups())) {
  for (uint32_t i = 0; i < mailbox.ports(); ++i)
    ports[i].attach(context, mailbox, i);
}

//===-- Locks -------------------------------------------------------------===//

bool PortTable::try_lock(uint32_t port) {
  uint64_t bit = uint64_t(1) << (port % 64);
  return !(locked[port / 64].fetch_or(bit, std::memory_order_acquire) & bit);
}

void PortTable::unlock(uint32_t port) {
  locked[port / 64].fetch_and(~(uint64_t(1) << (port % 64)),
                              std::memory_order_release);
}

bool PortTable::any_locked() const {
  for (uint32_t group = 0; group < mailbox.groups(); ++group)
    if (locked[group].load(std::memory_order_acquire))
      return true;
  return false;
}

bool PortTable::any_pending() const {
  for (uint32_t group = 0; !mailbox.is_fast_slot(group * 64); ++group)
    if (mailbox.pending(group))
      return true;
  return false;
}

//===-- Finding ports -----------------------------------------------------===//

bool PortTable::pass(Worker &worker, uint32_t workers) {
  bool worked = false;
  worker.served = 0;
  const uint32_t groups = mailbox.groups();
  // Under contention every thread keeps to its own share, so that only one
  // thread fetches a cache line that the device writes. Every SHARED_PASS
  // passes it looks at all ports, because the thread of another share may be
  // busy with a service that takes long.
  if (workers > 1 && ++worker.passes % SHARED_PASS) {
    uint32_t share = worker.share.load(std::memory_order_relaxed);
    for (uint32_t group = share; group < groups; group += workers)
      worked |= serve_group(worker, group);
    if (worker.served >= CONTENTION)
      return worked;
  }
  // Each thread begins at a different group, so that two threads rarely meet.
  uint32_t first = groups > 1 ? worker.number * (groups / 2 + 1) % groups : 0;
  for (uint32_t i = 0; i < groups; ++i)
    worked |= serve_group(worker,
                          first + i < groups ? first + i : first + i - groups);
  return worked;
}

bool PortTable::serve_group(Worker &worker, uint32_t group) {
  bool worked = false;
  uint64_t bits = mailbox.pending(group);
  while (bits && !context.outcome.finished()) {
    unsigned first_bit =
        llvm::countr_zero(bits) / LOCKED_TOGETHER * LOCKED_TOGETHER;
    uint64_t some = bits & ((uint64_t(1) << LOCKED_TOGETHER) - 1) << first_bit;
    bits &= ~some;
    worked |= serve_ports(worker, group, some);
  }
  return worked;
}

/// The fast slots of a group whose calls have begun. Mailbox::pending() finds
/// only calls that have not begun.
uint64_t PortTable::begun_fast_calls(uint32_t group) const {
  uint64_t bits = 0;
  if (!mailbox.is_fast_slot(group * 64 + 63))
    return 0;
  for (uint32_t port = group * 64;
       port < std::min(group * 64 + 64, mailbox.ports()); ++port)
    if (mailbox.is_fast_slot(port) &&
        ports[port].in_use.load(std::memory_order_relaxed))
      bits |= uint64_t(1) << (port % 64);
  return bits;
}

bool PortTable::pass_in_turn(Worker &worker) {
  bool worked = false;
  for (uint32_t group = 0; group < mailbox.groups(); ++group)
    for (uint64_t bits = mailbox.pending(group) | begun_fast_calls(group);
         bits && !context.outcome.finished(); bits &= bits - 1) {
      const uint32_t port = group * 64 + uint32_t(llvm::countr_zero(bits));
      if (!try_lock(port))
        continue; // the service waits for a file or runs in the background
      bool ours = true, any = false;
      if (mailbox.arrived(port))
        ours = serve(worker, ports[port], any);
      if (ours)
        unlock(port);
      worked |= any;
    }
  return worked;
}

bool PortTable::serve_ports(Worker &worker, uint32_t group, uint64_t bits) {
  bits &= ~locked[group].load(std::memory_order_relaxed);
  if (!bits)
    return false;
  bits &= ~locked[group].fetch_or(bits, std::memory_order_acquire);
  for (uint64_t left = bits; left; left &= left - 1) {
    uint32_t port = group * 64 + uint32_t(llvm::countr_zero(left));
    __builtin_prefetch(&mailbox.header(port));
    __builtin_prefetch(&ports[port], 1);
  }
  mailbox.prefetch_soa(group, bits);
  uint64_t ours = bits;
  bool worked = false;
  unsigned served = 0;
  Poller::Clock::time_point begin;
  if (unsigned(llvm::popcount(bits)) > LOOKS_AT_CLOCK)
    begin = Poller::Clock::now();
  for (uint64_t left = bits; left; left &= left - 1) {
    uint32_t port = group * 64 + uint32_t(llvm::countr_zero(left));
    // Before arrived(), which takes the request of a fast slot.
    if (!ports[port].request.task &&
        context.unfinished.load(std::memory_order_acquire))
      continue;
    if (!mailbox.arrived(port))
      continue;
    bool any;
    if (!serve(worker, ports[port], any))
      ours &= ~(left & -left);
    ++worker.served;
    worked = true;
    if (context.outcome.finished())
      break;
    // Other ports of the group must not wait for services that take long.
    if (++served % LOOKS_AT_CLOCK == 0 && (left & (left - 1)) &&
        Poller::Clock::now() - begin > LONG_SERVICE)
      break;
  }
  locked[group].fetch_and(~ours, std::memory_order_release);
  return worked;
}

//===-- Serving one -------------------------------------------------------===//

bool PortTable::serve(Worker &worker, Port &port, bool &worked) {
  worked = true;
  if (!port.request.task)
    return open(worker, port);
  if (port.request.task.done()) { // in lockstep it may end in the background
    complete(worker, port);
    return true;
  }
  if (port.waits_for()->advance())
    return continue_service(worker, port, port.waits_for()->waiter());
  worked = false;
  return true;
}

// Spec section 2.3: the client's first send.
bool PortTable::open(Worker &worker, Port &port) {
  port.read_header();
  const uint64_t mask = port.mask();
  const uint32_t opcode = port.opcode(), lanes = mailbox.lanes();
  const uint64_t all = lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << lanes) - 1;
  if (!port.try_own())
    return true;
  if (!mask && mailbox.is_fast_slot(port.index())) {
    port.fail(llvm::formatv("a fast-path request with a bad tag or more "
                            "than {0} words or {1} bytes",
                            RPC_FAST_WORDS, RPC_LONG_BYTES));
    return true;
  }
  if (mask == 0 || (mask & ~all)) {
    port.fail(llvm::formatv("lane mask {0:x}, expected lanes below {1}", mask,
                            lanes));
    return true;
  }
  const Operation *operation = registry.find(opcode);
  if (!operation) {
    std::string kind;
    char letter = char(RPC_OPCODE_CLASS(opcode));
    if (llvm::isPrint(letter) && letter != ' ')
      kind = llvm::formatv(" of class '{0}'", letter);
    port.fail(llvm::formatv("opcode {0:x}{1} is unknown to this server", opcode,
                            kind));
    return true;
  }
  port.request.operation = operation;
  port.in_use.store(true, std::memory_order_relaxed);
  if (stats || context.trace) {
    port.request.begin = std::chrono::steady_clock::now();
    port.trace_arguments.clear();
  }
  if (operation->service.serve_packet) {
    operation->service.serve_packet(operation->context, port);
    complete(worker, port);
    return true;
  }
  port.request.task = operation->service.run(operation->context, port);
  return continue_service(worker, port, port.request.task.coroutine());
}

bool PortTable::continue_service(Worker &worker, Port &port,
                                 std::coroutine_handle<> waiter) {
  port.run_by(worker.handed_off);
  worker.handed_off = false;
  waiter.resume();
  if (worker.handed_off)
    return false; // another thread may already run it
  if (port.request.task.done() && port.may_serve())
    complete(worker, port);
  return true;
}

void PortTable::resume(Worker &worker, Port &port,
                       std::coroutine_handle<> waiter) {
  if (continue_service(worker, port, waiter))
    unlock(port.index());
}

// Spec section 2.5: after a receive the port goes back to the client.
void PortTable::complete(Worker &worker, Port &port) {
  port.request.task.reset();
  port.in_use.store(false, std::memory_order_relaxed);
  port.note_served();
  if (port.is_ours())
    port.hand_over();
  if (!stats && !context.trace)
    return;
  auto end = std::chrono::steady_clock::now();
  const Port::Request &request = port.request;
  if (stats)
    worker.stats.add(request.operation->index, end - request.begin,
                     port.lane_count(), port.moved_bytes());
  if (context.trace)
    context.trace->event(
        "rpc", request.operation->name, 1000 + port.index(), request.begin, end,
        llvm::formatv("\"lanes\":{0},\"bytes\":{1}{2}", port.lane_count(),
                      port.moved_bytes(), port.trace_arguments)
            .str());
}

//===-- The end -----------------------------------------------------------===//

void PortTable::drop_locked(Port &port) {
  port.request.task.reset();
  port.in_use.store(false, std::memory_order_relaxed);
  port.reset();
  unlock(port.index());
}

bool PortTable::drop_all() {
  bool all = true;
  for (uint32_t i = 0; i < mailbox.ports(); ++i) {
    if (!try_lock(i)) {
      all = false;
      continue;
    }
    if (ports[i].request.task)
      drop_locked(ports[i]);
    else
      unlock(i);
  }
  return all;
}

void PortTable::destroy_requests() {
  for (uint32_t i = 0; i < mailbox.ports(); ++i)
    ports[i].request.task.reset();
}

std::string PortTable::open_ports() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (uint32_t i = 0; i < mailbox.ports(); ++i) {
    const Port &port = ports[i];
    bool ours = mailbox.inbox(i) != mailbox.outbox(i);
    bool in_use = port.in_use.load(std::memory_order_relaxed);
    if (!in_use && !ours)
      continue;
    uint32_t opcode = port.opcode();
    uint64_t mask = port.mask();
    if (!in_use) { // no thread has seen the request yet
      opcode = mailbox.opcode(i) & ~RPC_SOA;
      mask = std::atomic_ref(mailbox.header(i).lane_mask).load();
    }
    const Operation *operation = registry.find(opcode);
    bool is_locked = locked[i / 64].load() >> (i % 64) & 1;
    out << llvm::formatv("port {0}: {1}, lanes {2:x}, waiting for the {3}\n", i,
                         operation
                             ? operation->name
                             : llvm::formatv("opcode {0:x}", opcode).str(),
                         mask, ours || is_locked ? "host" : "device");
  }
  return text;
}
