//===-- rpc/services/stat.h - struct stat on the wire -----------*- C++ -*-===//
#ifndef GPUEXEC_RPC_SERVICES_STAT_H
#define GPUEXEC_RPC_SERVICES_STAT_H

#include "rpc/protocol/protocol.h"
#include <sys/stat.h>

namespace gpuexec::rpc {

rpc_stat to_wire(const struct stat &status);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_STAT_H
