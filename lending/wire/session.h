//===-- lending/wire/session.h - Client and server meet ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a client and `gpuexec serve` say to each other before the client has a
// device, in messages of requests.def:
//
//   server: Greeting    who it is, which devices it lends
//   client: Borrow      which of them would do, and how it wants to use one;
//                       requests for the worker may follow at once
//   server: Refused     why not; or it hands the connection to a worker:
//   worker: Part, Lent  memory, what the device is, a socket for launches
//
// Afterwards the client asks the worker, over the same connection. A client of
// another machine says the same, through two relays. For it even an emulated
// device's memory is not shared.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_SESSION_H
#define GPUEXEC_LENDING_WIRE_SESSION_H

#include "lending/wire/messages.h"

namespace gpuexec::wire {

/// Decodes the server's first message. Errors: Failure when it is no greeting,
/// or is of another version. The result refers to `body`.
llvm::Expected<Greeting> take_greeting(llvm::StringRef body);
/// Decodes a client's request. Errors: Failure when it is invalid, or is of
/// another version.
llvm::Expected<Borrow> take_borrow(llvm::StringRef body);

/// The environment's variables that change how the emulator works,
/// GPUEXEC_EMULATOR_*, as sorted lines of NAME=VALUE. A client does not borrow
/// an emulated device from a server whose variables differ from its own.
std::string emulator_variables(const char *const *environment);

} // namespace gpuexec::wire

#endif
