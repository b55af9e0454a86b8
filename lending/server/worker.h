//===-- lending/server/worker.h - A process that lends a device -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker has one device open and lends it to one client after the other. It
// is started by the server, and ends with it; a program that breaks the device
// ends its worker, and nothing else.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_SERVER_WORKER_H
#define GPUEXEC_LENDING_SERVER_WORKER_H

namespace gpuexec::serve {

/// Carries out what the server sends over WORKER_SOCKET, until the server
/// closes it. The caller ignores SIGPIPE: a write to a client that has gone
/// must not end the process.
void run_worker();

} // namespace gpuexec::serve

#endif
