//===-- rpc/server/port_table.h - All ports of a mailbox --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds ports that wait for the server, runs the service of their opcode, and
// suspends a service while it waits. Every port has a bit in `locked`. The
// thread that sets the bit owns the port; while the service waits for something
// other than a packet, the bit stays set and the ExternalWait owns the port.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_PORT_TABLE_H
#define GPUEXEC_RPC_SERVER_PORT_TABLE_H

#include "rpc/server/port.h"
#include "rpc/server/registry.h"
#include "rpc/server/worker.h"

namespace gpuexec::rpc {

class PortTable {
public:
  /// All arguments passed by reference must outlive the table.
  PortTable(const Layout &layout, void *buffer, const Registry &registry,
            PortContext &context, bool stats);

  /// Looks at the ports once and serves those that wait. True when there was
  /// something to do. `workers`: the number of threads that poll;
  /// `worker.share` is this thread's number among them.
  bool pass(Worker &worker, uint32_t workers);
  /// The same in lockstep, in the order of the ports. True when a service made
  /// progress.
  bool pass_in_turn(Worker &worker);
  Lockstep *lockstep() const { return context.lockstep; }
  Journal *journal() const { return context.journal; }
  /// `is`: no wave runs, and no new requests will come.
  void set_draining(bool is) { context.draining = is; }
  /// Continues a service that waited for something other than a packet.
  void resume(Worker &worker, Port &port, std::coroutine_handle<> waiter);
  /// Drops the request of a port whose wave has ended, makes the port usable
  /// and unlocks it. The caller owns the port.
  void drop_locked(Port &port);
  /// Does the same for every port with a request. False when another thread
  /// owns a port: that port is left as it is.
  bool drop_all();
  /// Ends all requests; no thread may serve any more.
  void destroy_requests();

  bool any_locked() const;
  /// Whether a client waits for the server. Called when no wave runs. Fast
  /// slots do not count: cells of a request that have not arrived never will.
  bool any_pending() const;
  /// A line for every port in use, from any thread.
  std::string open_ports() const;
  void set_lanes(uint32_t lanes) { mailbox.set_lanes(lanes); }

private:
  bool serve_group(Worker &worker, uint32_t group);
  uint64_t begun_fast_calls(uint32_t group) const;
  /// Locks the unlocked ones of ports 64 * group + `bits`, and serves them.
  bool serve_ports(Worker &worker, uint32_t group, uint64_t bits);
  // The next four functions take a locked port. Those that return a bool return
  // true if the caller must unlock the port, false if another thread owns it.
  /// `worked`: the service made progress.
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
