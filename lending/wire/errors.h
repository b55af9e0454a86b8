//===-- lending/wire/errors.h - Errors as replies ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An error of the process that has the device is the same error in the process
// that asks.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_ERRORS_H
#define GPUEXEC_LENDING_WIRE_ERRORS_H

#include "lending/wire/channel.h"

namespace gpuexec::wire {

/// As much of a text as a report may have.
inline std::string shortened(llvm::StringRef text) {
  return text.take_front(LARGEST_TEXT).str();
}

/// Fault or Failed, which says what the error says; its kind.
uint32_t encode_error(llvm::Error error, std::string &body);
/// The error that a reply is; success for Done. Errors besides: Failure when it
/// is no reply. `name`: as Link::name().
llvm::Error error_of(const Message &reply, const char *name);
/// Failure that says that `name` replies nonsense.
llvm::Error nonsense_of(const char *name);

} // namespace gpuexec::wire

#endif
