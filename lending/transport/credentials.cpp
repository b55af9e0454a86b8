//===-- lending/transport/credentials.cpp - Who may connect ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/transport/credentials.h"
#include "support/descriptor.h"
#include "support/failure.h"
#include "support/trusted_path.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>

namespace gpuexec::lending {

namespace {

/// Of a file. An authority's may have many certificates.
constexpr size_t LARGEST_FILE = 1u << 20;

enum class Readers { anybody, this_user };

/// `what` names the file in errors.
llvm::Expected<std::string> read_file(const char *what, const std::string &path,
                                      Readers readers) {
  auto cannot = [&](llvm::StringRef why) {
    return failure(Reason::failed, "{0} {1}: {2}", what, path, why);
  };
  // A key of another user's choice lets that user in.
  std::string problem = distrust(path);
  if (!problem.empty() && errno == ENOENT)
    return cannot(std::strerror(ENOENT));
  if (!problem.empty())
    return cannot(problem);
  // Without waiting: a FIFO is refused below.
  UniqueFd file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0)
    return cannot(std::strerror(errno));
  if (!S_ISREG(facts.st_mode))
    return cannot("not a regular file");
  if (readers == Readers::this_user &&
      ((facts.st_uid != ::geteuid() && facts.st_uid != 0) ||
       (facts.st_mode & 077)))
    return cannot("others can read it: chmod 600, and make a new one");
  std::string text(LARGEST_FILE + 1, '\0');
  size_t size = 0;
  for (ssize_t got; size < text.size(); size += size_t(got)) {
    got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0)
      return cannot(std::strerror(errno));
    if (got == 0)
      break;
  }
  if (size > LARGEST_FILE)
    return cannot("too large");
  text.resize(size);
  return text;
}

} // namespace

llvm::Expected<Key> read_key(const std::string &path) {
  llvm::Expected<std::string> text = read_file("key", path, Readers::this_user);
  if (!text)
    return text.takeError();
  std::string bytes;
  const llvm::StringRef digits = llvm::StringRef(*text).trim();
  Key key;
  if (digits.size() != 2 * key.size() || !llvm::tryGetFromHex(digits, bytes))
    return failure(Reason::failed,
                   "key {0}: expected 64 hexadecimal digits (openssl rand -hex "
                   "32)",
                   path);
  std::memcpy(key.data(), bytes.data(), key.size());
  return key;
}

std::string default_key_file() {
  if (const char *named = std::getenv("GPUEXEC_SERVER_KEY"); named && *named)
    return named;
  const char *folder = std::getenv("XDG_CONFIG_HOME");
  if (folder && *folder == '/')
    return std::string(folder) + "/gpuexec/key";
  const char *home = std::getenv("HOME");
  return std::string(home ? home : "") + "/.config/gpuexec/key";
}

CredentialFiles with_environment(CredentialFiles files) {
  if (!files.key.empty() || !files.certificate.empty())
    return files;
  for (auto [name, file] :
       {std::pair("GPUEXEC_SERVER_CERTIFICATE", &files.certificate),
        {"GPUEXEC_SERVER_CERTIFICATE_KEY", &files.certificate_key},
        {"GPUEXEC_SERVER_AUTHORITY", &files.authority}})
    if (const char *named = std::getenv(name); named && file->empty())
      *file = named;
  return files;
}

/// A certificate, its key, which may be in the same file, and the authority.
static llvm::Error read_certificate(const CredentialFiles &files,
                                    Credentials &to) {
  if (files.authority.empty())
    return failure(Reason::failed,
                   "certificate {0}: the file of the authority that signs the "
                   "other side's is missing",
                   files.certificate);
  const std::string &key_file =
      files.certificate_key.empty() ? files.certificate : files.certificate_key;
  for (auto [what, path, readers, text] :
       {std::tuple("certificate", &files.certificate, Readers::anybody,
                   &to.certificate),
        {"certificate key", &key_file, Readers::this_user, &to.certificate_key},
        {"authority", &files.authority, Readers::anybody, &to.authority}}) {
    llvm::Expected<std::string> read = read_file(what, *path, readers);
    if (!read)
      return read.takeError();
    *text = std::move(*read);
  }
  if (!to.has_certificate())
    return failure(Reason::failed, "certificate {0}: it is empty",
                   files.certificate);
  return llvm::Error::success();
}

llvm::Expected<Credentials> read_credentials(const CredentialFiles &files) {
  Credentials found;
  const bool has_certificate = !files.certificate.empty();
  if (has_certificate) {
    if (llvm::Error error = read_certificate(files, found))
      return std::move(error);
  } else if (!files.certificate_key.empty() || !files.authority.empty()) {
    return failure(Reason::failed, "{0}: without a certificate it is of no use",
                   files.certificate_key.empty() ? files.authority
                                                 : files.certificate_key);
  }
  if (has_certificate && files.key.empty())
    return found;
  llvm::Expected<Key> key =
      read_key(files.key.empty() ? default_key_file() : files.key);
  if (!key)
    return key.takeError();
  found.key = *key;
  return found;
}

void put(wire::Writer &to, const Credentials &credentials) {
  to.put(uint8_t(credentials.key.has_value()))
      .put(credentials.key.value_or(Key()));
  to.text(credentials.certificate)
      .text(credentials.certificate_key)
      .text(credentials.authority);
}

Credentials take_credentials(wire::Reader &from) {
  Credentials credentials;
  const bool has_key = from.take_flag();
  if (const Key key = from.take<Key>(); has_key)
    credentials.key = key;
  for (std::string *text :
       {&credentials.certificate, &credentials.certificate_key,
        &credentials.authority})
    *text = from.text().str();
  return credentials;
}

} // namespace gpuexec::lending
