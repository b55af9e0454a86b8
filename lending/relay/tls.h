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

  /// `pump`: outlives it; its threads, if any, have been started. `host`: a
  /// name or a number, which a server's certificate must have. Errors: Failure,
  /// also when the credentials are of no use.
  static llvm::Expected<std::unique_ptr<Tls>>
  create(Role role, Pump &pump, const lending::Credentials &credentials,
         const std::string &host);
  /// Errors: as create() of a server.
  static llvm::Error check(const lending::Credentials &credentials);
  ~Tls();
  Tls(const Tls &) = delete;

  // None of these waits.
  Result shake_hands();
  /// `size` becomes how much was read into `to`.
  Result read(llvm::MutableArrayRef<char> to, size_t &size);
  /// `size` becomes how much of `from` was written. After wants_... the same
  /// bytes, or more, must be offered again.
  Result write(llvm::StringRef from, size_t &size);
  /// Sends what write() has taken and holds back: several records go with one
  /// call.
  Result flush();
  /// Something is held back.
  bool is_buffering() const;
  /// Tells the other side that nothing more comes.
  void close();
  /// Bytes that TLS may have taken from the socket ahead, where there are
  /// threads for it.
  static constexpr size_t READ_AHEAD_OF_THREADS = 32u << 10;
  /// After failed: in words.
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
