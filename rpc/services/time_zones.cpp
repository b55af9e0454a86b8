//===-- rpc/services/time_zones.cpp - Files of the zone database ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host sends the bytes of a zone's file; the program interprets them
// (libc-shim/time). This is allowed in a sandbox, too: no name leads out of the
// database, and files that are no zones are refused (docs/security.md).
//===----------------------------------------------------------------------===//
#include "rpc/services/time_zones.h"
#include "rpc/services/serve.h"
#include "support/descriptor.h"
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace gpuexec::rpc;

namespace {

constexpr size_t LARGEST_ZONE = 64 * 1024;

/// Opens a zone's file, or the host's own zone for an empty name. -1 and errno
/// when there is none below the database.
int open_zone(const std::string &name) {
  constexpr int FLAGS = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  if (name.empty())
    return ::open(LOCAL_ZONE, FLAGS);
  const gpuexec::UniqueFd database(
      ::open(ZONE_DATABASE, O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!database)
    return -1;
  open_how how = {};
  how.flags = uint64_t(FLAGS);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return int(
      ::syscall(SYS_openat2, database.get(), name.c_str(), &how, sizeof how));
}

ResultBytes<> zone_file(Services &, const std::string &name) {
  const gpuexec::UniqueFd file(open_zone(name));
  struct stat status;
  if (!file || ::fstat(file.get(), &status))
    return Result::failure(errno);
  if (!S_ISREG(status.st_mode))
    return Result::failure(EINVAL);
  if (size_t(status.st_size) > LARGEST_ZONE)
    return Result::failure(EFBIG);
  std::string bytes(size_t(status.st_size), '\0');
  const ssize_t read = ::pread(file.get(), bytes.data(), bytes.size(), 0);
  if (read < 0)
    return Result::failure(errno);
  bytes.resize(size_t(read));
  if (!llvm::StringRef(bytes).starts_with("TZif"))
    return Result::failure(EINVAL);
  return {0, bytes};
}

} // namespace

RPC_SERVE(ZONE_FILE, zone_file)
