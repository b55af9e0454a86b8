//===-- rpc/services/stat.h - struct stat and statfs on the wire -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_SERVICES_STAT_H
#define GPUEXEC_RPC_SERVICES_STAT_H

#include "rpc/protocol/protocol.h"
#include <sys/stat.h>
#include <sys/vfs.h>

namespace gpuexec::rpc {

rpc_stat to_wire(const struct stat &status);
rpc_statvfs to_wire(const struct statfs &facts);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_STAT_H
