//===-- rpc/server/lockstep.h - Calls served while the device waits -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In lockstep no thread watches the mailbox. Between two steps the device
// stands still and gives the server a turn (Server::turn()); the server changes
// packets and words of the mailbox only in its turn. Background threads and
// waits for files go on between turns; the device sees their results in the
// next turn.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_LOCKSTEP_H
#define GPUEXEC_RPC_SERVER_LOCKSTEP_H

#include <atomic>
#include <cstdint>
#include <thread>

namespace gpuexec::rpc {

/// State that all ports of a server in lockstep share.
class Lockstep {
public:
  /// Whether the calling thread has the turn and so may change the mailbox.
  bool is_my_turn() const { return owner == std::this_thread::get_id(); }
  void begin_turn() { owner = std::this_thread::get_id(); }
  void end_turn() { owner = std::thread::id(); }

  // Used only by the thread that has the turn:
  uint64_t step = 0;  ///< number of steps that the device has made
  uint64_t calls = 0; ///< number of calls that have begun

private:
  std::atomic<std::thread::id> owner = std::thread::id();
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_LOCKSTEP_H
