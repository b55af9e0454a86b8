//===-- rpc/server/lockstep.h - Calls served while the device waits -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In lockstep no thread watches the mailbox. The device stands still now and
// then and lets the server have a turn (Server::turn()); only then do packets
// and words of the mailbox change. What a service does in the background or
// waits for goes on meanwhile, and becomes visible in the next turn.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_LOCKSTEP_H
#define GPUEXEC_RPC_SERVER_LOCKSTEP_H

#include <atomic>
#include <cstdint>
#include <thread>

namespace gpuexec::rpc {

/// What the ports of a server in lockstep share.
class Lockstep {
public:
  /// May the calling thread change what the device sees?
  bool is_my_turn() const { return owner == std::this_thread::get_id(); }
  void begin_turn() { owner = std::this_thread::get_id(); }
  void end_turn() { owner = std::thread::id(); }

  // Of the thread whose turn it is:
  uint64_t step = 0;  ///< how many steps the device has made
  uint64_t calls = 0; ///< that have begun

private:
  std::atomic<std::thread::id> owner = std::thread::id();
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_LOCKSTEP_H
