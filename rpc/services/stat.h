//===-- rpc/services/stat.h - struct stat on the wire -----------*- C++ -*-===//
#ifndef GPUEXEC_RPC_SERVICES_STAT_H
#define GPUEXEC_RPC_SERVICES_STAT_H

#include "rpc/services/services.h"
#include <sys/stat.h>

namespace gpuexec::rpc {

rpc_stat to_wire(const struct stat &status);
/// S {result} · S bytes 0..63 · S bytes 64..127; both must live until it is
/// done.
Task<> send_status(Port &port, const Results &results,
                   const rpc_stat (&status)[64]);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_STAT_H
