//===-- lending/transport/credentials.h - Who may connect -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What two relays prove to each other: that both have a key, or certificates
// that the other side's authority has signed.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_TRANSPORT_CREDENTIALS_H
#define GPUEXEC_LENDING_TRANSPORT_CREDENTIALS_H

#include "lending/wire/bytes.h"
#include "llvm/Support/Error.h"
#include <array>
#include <optional>

namespace gpuexec {

/// Files with what this side of a connection to a server on another machine
/// shows and expects; "": none.
struct CredentialFiles {
  std::string key;             ///< "" and no certificate: this user's
  std::string certificate;     ///< PEM
  std::string certificate_key; ///< "": in the certificate's file
  std::string authority;       ///< of the other side's certificate
};

namespace lending {

/// What both machines have and nobody else.
using Key = std::array<unsigned char, 32>;

/// A key, or certificates, or both.
struct Credentials {
  std::optional<Key> key;
  std::string certificate;     ///< PEM, with those between it and an authority
  std::string certificate_key; ///< PEM
  std::string authority;       ///< PEM: who signs the other side's certificate
  bool has_certificate() const { return !certificate.empty(); }
};

/// Reads a key from a file: 64 hexadecimal digits. Errors: Failure, also when
/// others than this user (or root) could have read it.
llvm::Expected<Key> read_key(const std::string &path);

/// Where this user has a key: $GPUEXEC_SERVER_KEY, or `gpuexec/key` in
/// $XDG_CONFIG_HOME or ~/.config.
std::string default_key_file();

/// What the environment names where the user has named neither key nor
/// certificate: $GPUEXEC_SERVER_CERTIFICATE, $GPUEXEC_SERVER_CERTIFICATE_KEY
/// and $GPUEXEC_SERVER_AUTHORITY.
CredentialFiles with_environment(CredentialFiles files);

/// Reads the files; without a certificate, this user's key when none is named.
/// What PEM files contain is not checked. Errors: Failure, also when a file is
/// missing beside the others, or others could have read a key.
llvm::Expected<Credentials> read_credentials(const CredentialFiles &files);

void put(wire::Writer &to, const Credentials &credentials);
Credentials take_credentials(wire::Reader &from);

} // namespace lending
} // namespace gpuexec

#endif
