//===-- lending/wire/errors.h - Errors as replies ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors as messages: an error in the process that has the device becomes a
// reply, which the process that has asked turns back into an error.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_ERRORS_H
#define GPUEXEC_LENDING_WIRE_ERRORS_H

#include "lending/wire/channel.h"

namespace gpuexec::wire {

/// The first LARGEST_TEXT bytes of a text, the most that a report may have.
inline std::string shortened(llvm::StringRef text) {
  return text.take_front(LARGEST_TEXT).str();
}

/// Encodes an error as Fault or Failed: sets `body` and returns the kind.
uint32_t encode_error(llvm::Error error, std::string &body);
/// The error that a reply carries; success for Done. Failure, too, when the
/// message is no valid reply. `name`: as Link::name().
llvm::Error error_of(const Message &reply, const char *name);
/// Failure that says that `name` replies nonsense.
llvm::Error nonsense_of(const char *name);

} // namespace gpuexec::wire

#endif
