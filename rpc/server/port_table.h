//===-- rpc/server/port_table.h - All ports of a mailbox --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds ports that wait for the server, runs the service of their opcode, and
// puts a service aside while it waits. Every port has a bit in `locked`. Who
// sets it owns the port: a thread or, while the service waits for something
// other than a packet, the ExternalWait.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_PORT_TABLE_H
#define GPUEXEC_RPC_SERVER_PORT_TABLE_H

#include "rpc/server/port.h"
#include "rpc/server/registry.h"
#include "rpc/server/worker.h"

namespace gpuexec::rpc {

class PortTable {
public:
  /// `context` must outlive the table, as all else that it refers to.
  PortTable(const Layout &layout, void *buffer, const Registry &registry,
            PortContext &context, bool stats);

  /// One look at the ports, which serves those that wait. True when there was
  /// something to do. `workers`: how many poll; `worker.share` is this one's
  /// number among them.
  bool pass(Worker &worker, uint32_t workers);
  /// The same in lockstep, in the order of the ports. True when a service got
  /// somewhere.
  bool pass_in_turn(Worker &worker);
  Lockstep *lockstep() const { return context.lockstep; }
  Journal *journal() const { return context.journal; }
  /// No wave runs, or will again.
  void set_draining(bool is) { context.draining = is; }
  /// Continues a service that waited for something other than a packet.
  void resume(Worker &worker, Port &port, std::coroutine_handle<> waiter);
  /// The wave of a port is gone. Forgets its request and makes the port usable.
  /// drop_locked(): the caller owns the port.
  void drop_locked(Port &port);
  /// False when another thread owned a port meanwhile: that one was left.
  bool drop_all();
  /// Ends all requests; no thread may serve any more.
  void destroy_requests();

  bool any_locked() const;
  /// Does a client wait for the server? Fast slots do not count: what of a
  /// request has not arrived by now never will.
  bool any_pending() const;
  /// A line for every port in use, from any thread.
  std::string open_ports() const;
  void set_lanes(uint32_t lanes) { mailbox.set_lanes(lanes); }

private:
  bool serve_group(Worker &worker, uint32_t group);
  uint64_t begun_fast_calls(uint32_t group) const;
  /// Locks those of ports 64 * group + `bits` that nobody has, and serves them.
  bool serve_ports(Worker &worker, uint32_t group, uint64_t bits);
  // Of a port that is locked. True: to be unlocked; false: another thread owns
  // it now.
  /// `worked`: the service got somewhere.
  bool serve(Worker &worker, Port &port, bool &worked);
  bool open(Worker &worker, Port &port);
  bool continue_service(Worker &worker, Port &port,
                        std::coroutine_handle<> waiter);
  void complete(Worker &worker, Port &port);

  bool try_lock(uint32_t port);
  void unlock(uint32_t port);

  Mailbox mailbox;
  const Registry &registry;
  PortContext &context;
  const bool stats;
  std::unique_ptr<Port[]> ports;
  std::unique_ptr<std::atomic<uint64_t>[]> locked; // a bit per port
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_PORT_TABLE_H
