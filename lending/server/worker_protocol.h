//===-- lending/server/worker_protocol.h - Words between server and worker ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the server says to a worker that it has started, over a socket that is
// the worker's descriptor WORKER_SOCKET.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_SERVER_WORKER_PROTOCOL_H
#define GPUEXEC_LENDING_SERVER_WORKER_PROTOCOL_H

#include <cstdint>

namespace gpuexec::serve {

inline constexpr int WORKER_SOCKET = 3;

enum class WorkerWord : uint32_t {
  list = 0x200, ///< --device, or "" -> devices: how many, DeviceInfos; failed
  devices,
  open,   ///< back end, index, fault_report, most bytes of heap (0: any)
          ///< -> ready or failed
  ready,  ///< also when a lent device has been given back
  failed, ///< text
  lend,   ///< of another machine?; with the client's connection
};

} // namespace gpuexec::serve

#endif
