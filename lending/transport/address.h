//===-- lending/transport/address.h - A server's place ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A server of this machine has a socket in the file system. One of another
// machine has an address: tcp://HOST:PORT, or vsock://CID:PORT between a
// virtual machine and its host. A relay (relay_process.h) goes there.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_TRANSPORT_ADDRESS_H
#define GPUEXEC_LENDING_TRANSPORT_ADDRESS_H

#include "support/descriptor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace gpuexec::lending {

struct Address {
  enum class Kind { tcp, vsock };
  Kind kind = Kind::tcp;
  /// A name or a number; a CID in decimal. Empty (written as *): any of this
  /// machine's.
  std::string host;
  uint32_t port = 0;
  std::string text; ///< as written

  /// True for what names no file.
  static bool is_one(llvm::StringRef text);
  /// Errors: Failure that says what was expected.
  static llvm::Expected<Address> parse(llvm::StringRef text);
};

/// A connected socket, non-blocking. Errors: Failure with the last address's
/// reason when none of the host's addresses answers within `limit`.
llvm::Expected<UniqueFd> connect_to(const Address &address,
                                    std::chrono::milliseconds limit);

/// A socket that listens, non-blocking. Port 0: a free one. Errors: Failure.
llvm::Expected<UniqueFd> listen_at(const Address &address);

/// How a socket's own end is written as an address, or the other end.
std::string name_of(int socket, bool other_end);

/// Packets go at once, and a machine that has gone is noticed.
void prepare_stream(int socket);

} // namespace gpuexec::lending

#endif
