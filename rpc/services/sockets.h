//===-- rpc/services/sockets.h - Time limits of sockets ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_SERVICES_SOCKETS_H
#define GPUEXEC_RPC_SERVICES_SOCKETS_H

#include "rpc/server/poller.h"

namespace gpuexec::rpc {

/// The time at which a wait for a descriptor that begins now ends with EAGAIN:
/// after the limit that the program set with SO_RCVTIMEO or SO_SNDTIMEO
/// (`option`), else never. The kernel cannot enforce the limit, because the
/// server's sockets never wait in the kernel.
Poller::Clock::time_point socket_deadline(int fd, int option);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_SOCKETS_H
