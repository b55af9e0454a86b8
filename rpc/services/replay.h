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

/// Does the opcode's own service run when a journal replays? It then asks the
/// journal by itself: printf makes its text, EXIT ends the program.
bool has_own_replay(const OpcodeInfo &info);

/// A service for any other opcode; its context is a ReplayedOperation.
Task<> replay_call(void *operation, Port &port);

/// Notes the bytes of the program's memory [address, address + size); nothing
/// where that is not the program's.
void note_memory(Services &services, std::string &notes, DeviceAddress address,
                 uint64_t size);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_REPLAY_H
