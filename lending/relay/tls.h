//===-- lending/relay/tls.h - TLS over a socket -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TLS 1.3 by OpenSSL, which nothing else here includes. Both sides prove with
// the handshake that they have the key (external PSK with ECDHE, RFC 8446
// 2.2), or both show certificates that the other side's authority has signed;
// there are no tickets and no resumption, and no other version or cipher is
// offered.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_RELAY_TLS_H
#define GPUEXEC_LENDING_RELAY_TLS_H

#include "lending/relay/pump.h"
#include "lending/transport/credentials.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace gpuexec::relay {

class Tls {
public:
  enum class Role { client, server };
  enum class Result { done, wants_read, wants_write, closed, failed };

  /// `pump` outlives the object; its threads, if any, are started before the
  /// first shake_hands(). `host`: of a client, the host name or IP address that
  /// the server's certificate must have. Errors: Failure, also when the
  /// credentials cannot be used.
  static llvm::Expected<std::unique_ptr<Tls>>
  create(Role role, Pump &pump, const lending::Credentials &credentials,
         const std::string &host);
  /// Checks whether credentials can be used. Errors: as create() for a server.
  static llvm::Error check(const lending::Credentials &credentials);
  ~Tls();
  Tls(const Tls &) = delete;

  // None of these waits.
  Result shake_hands();
  /// Sets `size` to the number of bytes read into `to`.
  Result read(llvm::MutableArrayRef<char> to, size_t &size);
  /// Sets `size` to the number of bytes of `from` that were written. After
  /// wants_read or wants_write the next call must begin with the same bytes.
  Result write(llvm::StringRef from, size_t &size);
  /// Sends the records that write() has buffered, several with one system call.
  Result flush();
  /// True when write() has buffered something that was not sent.
  bool is_buffering() const;
  /// Tells the other side that nothing more comes.
  void close();
  /// The most bytes that TLS takes from the socket before it needs them, when
  /// the pump has threads.
  static constexpr size_t READ_AHEAD_OF_THREADS = 32u << 10;
  /// After Result::failed: the reason, as a text for the user.
  const std::string &error() const { return what_failed; }

private:
  struct Library;
  bool knows_other_side();
  explicit Tls(std::unique_ptr<Library> library);
  Result result_of(int code);
  std::unique_ptr<Library> library;
  std::string what_failed;
};

} // namespace gpuexec::relay

#endif
