//===-- rpc/server.h - The host's side of the mailbox -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers what a program on a device asks of its host, from threads of its own
// that watch a mailbox in memory both sides see. It knows nothing of devices:
// the embedder gives it that memory and a DeviceMemory. Everything the device
// sends is checked; nothing here ends the process. Protocol: rpc/protocol/.
//
//     auto layout = exit_on_err(Layout::from_client_size(552, ports, lanes));
//     void *buffer = ...; // layout.buffer_size() bytes, zeroed
//     auto server = exit_on_err(
//         Server::create(layout, buffer, address, memory, options));
//     // Copy server->client_object() over __llvm_rpc_client, then:
//     server->start();
//     // For each kernel:
//     server->set_lanes(lanes); // its wave size
//     // Launch it; wait for its end and for server->outcome().
//     server->drain();
//     // After the last one:
//     server->stop(); // or abandon() after a kill
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_H
#define GPUEXEC_RPC_SERVER_H

#include "rpc/server/device_memory.h"
#include "rpc/server/layout.h"
#include "rpc/server/outcome.h"
#include "rpc/services/options.h"

namespace gpuexec::rpc {

class Server {
public:
  /// `buffer`: layout.buffer_size() zeroed bytes, 64-aligned, that stay valid
  /// until the server is destroyed; `device_address` is the buffer's address on
  /// the device. Fails when a service cannot be loaded or a directory of the
  /// sandbox cannot be opened.
  static llvm::Expected<std::unique_ptr<Server>>
  create(const Layout &layout, void *buffer, DeviceAddress device_address,
         DeviceMemory &memory, ServerOptions options);
  /// Ends as abandon() does if still running; closes files, frees device
  /// memory.
  ~Server();
  Server(const Server &) = delete;
  Server &operator=(const Server &) = delete;

  /// Bytes for __llvm_rpc_client (layout.client_size of them).
  std::vector<std::byte> client_object() const;
  /// Bytes for __gpuexec_rpc_extensions; skip when the image lacks the symbol.
  std::vector<std::byte> extensions_object() const;

  /// Wave size of the kernel that is launched next. Only between kernels.
  void set_lanes(uint32_t lanes);
  void start();
  /// With ServerOptions::lockstep: serves the device's requests while the
  /// device stands still after its step number `step`. `idle`: the device can
  /// do nothing before an answer or its clock; turn() then returns when a
  /// request could be served, or after some milliseconds, and sets `ticks` to
  /// the time by which the device must put its clock forward, in units of 10
  /// ns. False: the device must make no further step.
  bool turn(uint64_t step, bool idle, uint64_t &ticks);
  /// Makes the device's next turn its last. Called from another thread than
  /// turn(); waits until that turn is over, but at most half a second.
  void halt();

  /// Looks once for requests and serves them in the calling thread, for a
  /// device whose threads have nothing else to do; true when there was one. At
  /// once false when another thread does so, before start() and after the end.
  /// From any thread but the server's.
  bool serve_here();

  /// A kernel is done: returns when all it asked for is served and written out.
  void drain();
  /// The last kernel is done: as drain(), then ends the threads. Idempotent.
  void stop();
  /// The device is dead or must be ignored: ends the threads without serving
  /// the rest, waking those that wait. Output already accepted is written out.
  void abandon();

  /// Set once, when the program asked to end or cannot go on. After it no
  /// further request is served (the device may still run). Thread-safe.
  std::optional<Outcome> outcome() const;
  /// Called once from a server thread when outcome() is set. Before start().
  void set_notifier(std::function<void()> notifier);

  /// Writes out everything buffered for the program's streams, waiting for
  /// their readers. Errors are kept for stop().
  void flush();

  /// The bytes of standard output that are still in the program's buffer
  /// (rpc_output). For use after abandon(), when the program can no longer send
  /// them; complete even if the device has failed.
  std::string unwritten_output() const;

  /// The table of --rpc-stats. Meaningful after stop().
  std::string stats_table() const;

  /// For a report of what a program waits for: a line for every port that is in
  /// the middle of an exchange or asks for one. From any thread, at any time.
  std::string open_ports() const;

private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_H
