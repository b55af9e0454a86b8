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

/// Errors: Failure when it is no greeting, or one of another version. What is
/// taken refers to `body`.
llvm::Expected<Greeting> take_greeting(llvm::StringRef body);
/// Errors: Failure for nonsense, or another version.
llvm::Expected<Borrow> take_borrow(llvm::StringRef body);

/// The variables of the environment that change how the emulator works: a
/// device lent by a server whose variables differ is another one. Lines of
/// NAME=VALUE, sorted.
std::string emulator_variables(const char *const *environment);

} // namespace gpuexec::wire

#endif
