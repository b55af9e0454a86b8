//===-- lending/peer/peer.h - Requests about a device -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a process that has a device open does for another one: it carries out
// the requests that arrive, one after the other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_PEER_PEER_H
#define GPUEXEC_LENDING_PEER_PEER_H

#include "lending/peer/handler.h"
#include "lending/peer/session_memory.h"
#include "loader/device/device.h"
#include <atomic>

namespace gpuexec::lending {

/// Answers requests about memory, loading and launching, on `device`. Two
/// threads may use it: one for launches, one for everything else. A derived
/// class answers more.
class Peer : public Handler {
public:
  /// `most_memory`: bytes that it allocates for the other side at a time.
  explicit Peer(wire::Role role, uint64_t most_memory = UINT64_MAX)
      : Handler(role), session(most_memory) {}

protected:
  using Handler::serve;
#define SERVE(NAME)                                                            \
  llvm::Error serve(const wire::NAME &request, wire::NAME::Reply &reply,       \
                    Response &response) override;
  SERVE(SetOption)
  SERVE(Load)
  SERVE(FindGlobal)
  SERVE(KernelResources)
  SERVE(AllocateHost)
  SERVE(AllocateDevice)
  SERVE(FreeDevice)
  SERVE(Read)
  SERVE(Write)
  SERVE(HeapAllocate)
  SERVE(HeapFree)
  SERVE(HeapRead)
  SERVE(HeapWrite)
  SERVE(FindRange)
  SERVE(Holds)
  SERVE(Where)
  SERVE(Statistics)
  SERVE(Launch)
  SERVE(CountEnded)
#undef SERVE
  llvm::Error check(uint32_t kind) override;
  /// False when the other side must not name the range in Write or Read.
  virtual bool may_copy(DeviceAddress address, uint64_t size, bool writable) {
    return true;
  }
  /// Reduces what the other side wants to what it may have.
  virtual void limit(LaunchSettings &settings) {}
  /// The session has no room for so many bytes more.
  static llvm::Error too_much(uint64_t size);
  /// Gives back what was loaded and allocated on the device.
  void free_everything();

  Device *device = nullptr;     ///< null: none is open
  const Image *image = nullptr; ///< the one to load
  std::unique_ptr<Module> module;
  SessionMemory session; ///< of the thread that serves all but launches

private:
  llvm::Expected<DeviceAddress> allocate(uint64_t size);
  std::atomic<bool> loaded = false; ///< launches may use `module`
  std::vector<DeviceAddress> allocated;
};

} // namespace gpuexec::lending

#endif
