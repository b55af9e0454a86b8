//===-- rpc/services/replay.h - Answers from a journal ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_SERVICES_REPLAY_H
#define GPUEXEC_RPC_SERVICES_REPLAY_H

#include "rpc/server/registry.h"
#include "rpc/server/sequence.h"
#include "rpc/services/services.h"

namespace gpuexec::rpc {

/// Serves an opcode from the journal of the server.
struct ReplayedOperation {
  Services &services;
  const OpcodeInfo &info;
};

/// Whether the opcode's own service runs while a journal replays, as for printf
/// and EXIT. That service then asks the journal for its answer.
bool has_own_replay(const OpcodeInfo &info);

/// Serves any other opcode from the journal; `operation` is a
/// ReplayedOperation.
Task<> replay_call(void *operation, Port &port);

/// Adds the bytes of the program's memory [address, address + size) to `notes`;
/// an empty string if the program does not have that range.
void note_memory(Services &services, std::string &notes, DeviceAddress address,
                 uint64_t size);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_REPLAY_H
