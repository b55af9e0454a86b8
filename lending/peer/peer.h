//===-- lending/peer/peer.h - Requests about a device -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a process that has a device open does for another one: it carries out
// the requests that arrive, one after the other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_PEER_PEER_H
#define GPUEXEC_LENDING_PEER_PEER_H

#include "lending/peer/session_memory.h"
#include "lending/wire/facts.h"
#include <atomic>
#include <functional>

namespace gpuexec::remote {

/// What a request is answered with.
struct Response {
  Writer body;
  std::vector<int> descriptors; ///< stay the peer's
  /// Has a relay send memory at once, before the reply (Request::carry); empty
  /// without a channel.
  std::function<void(DeviceAddress address, uint64_t size)> carry;
  /// Nobody waits for a reply.
  bool is_silent = false;
};

/// Two threads may use it: one for launches, one for everything else. A derived
/// class adds requests of its own.
class Peer {
public:
  /// `most_memory`: bytes that it allocates for the other side at a time.
  explicit Peer(uint64_t most_memory = UINT64_MAX) : session(most_memory) {}
  virtual ~Peer() = default;
  /// Replies to one request; false when the channel is closed.
  bool answer(const Message &asked, Channel &channel);
  /// The same without a channel. Errors: as the reply would say.
  llvm::Error carry_out(const Message &asked, Response &reply) {
    return reply_to(Request(asked.kind), Reader(asked.body), reply);
  }

protected:
  /// Carries out a request. The base class serves those about memory, loading
  /// and launching, on `device`.
  virtual llvm::Error reply_to(Request request, Reader body, Response &reply);
  virtual llvm::Error launch(Reader body, Response &reply);
  virtual llvm::Error allocate_host(uint64_t size, Response &reply);
  /// False when the other side must not name the range in `write` or `read`.
  virtual bool may_copy(DeviceAddress address, uint64_t size, bool writable) {
    return true;
  }
  /// Reduces what the other side wants to what it may have.
  virtual void limit(LaunchSettings &settings) {}
  static llvm::Error nonsense();
  /// The session has no room for so many bytes more.
  static llvm::Error too_much(uint64_t size);
  /// Gives back what was loaded and allocated on the device.
  void free_everything();

  Device *device = nullptr;     ///< null: none is open
  const Image *image = nullptr; ///< the one to load
  std::unique_ptr<Module> module;
  SessionMemory session; ///< of the thread that serves all but launches

private:
  llvm::Error load(Reader body, Response &reply);
  llvm::Error allocate_device(uint64_t size, Response &reply);
  std::atomic<bool> loaded = false; ///< launches may use `module`
  std::vector<DeviceAddress> allocated;
  llvm::Error reply_about_memory(Request request, Reader body, Response &reply);
  llvm::Error reply_about_heap(Request request, Reader body, Response &reply);
};

} // namespace gpuexec::remote

#endif
