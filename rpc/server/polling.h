//===-- rpc/server/polling.h - A server without threads ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_SERVER_POLLING_H
#define GPUEXEC_RPC_SERVER_POLLING_H

#include <cstdint>

namespace gpuexec::rpc {

/// For ServerOptions::max_threads: no thread looks for requests, because the
/// embedder calls Server::serve_here().
inline constexpr unsigned NO_POLLING_THREADS = UINT32_MAX;

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_POLLING_H
