//===-- loader/sandbox/landlock.cpp - Landlock's system calls -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/sandbox/landlock.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuexec::sandbox {
namespace {

// Numbers of system calls, the same on all architectures.
constexpr long CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446;
constexpr uint32_t ASK_VERSION = 1;
constexpr int PATH_BENEATH = 1;
constexpr uint32_t ALL_THREADS = 1 << 3; // from ABI 8

/// The kernel's landlock_ruleset_attr: what is forbidden unless a rule grants
/// it. Older ABIs know only the first members.
struct RulesetAttributes {
  uint64_t files = 0;
  uint64_t network = 0; // from ABI 4
  uint64_t scopes = 0;  // from ABI 6
};
constexpr uint64_t BIND_AND_CONNECT_TCP = 3;
constexpr uint64_t ABSTRACT_SOCKETS = 1, SIGNALS = 2;

struct __attribute__((packed)) PathBeneath {
  uint64_t allowed;
  int32_t parent;
};

constexpr uint64_t READ = right::READ_FILE | right::READ_DIR;
constexpr uint64_t CHANGE = READ | right::WRITE_FILE | right::REMOVE_DIR |
                            right::REMOVE_FILE | right::MAKE_DIR |
                            right::MAKE_REG | right::MAKE_SYM | right::REFER |
                            right::TRUNCATE;
constexpr uint64_t USE_DEVICE =
    right::READ_FILE | right::WRITE_FILE | right::IOCTL_DEV;
/// The rights that a rule for a file may have; others are for directories only.
constexpr uint64_t OF_FILES = right::EXECUTE | right::WRITE_FILE |
                              right::READ_FILE | right::TRUNCATE |
                              right::IOCTL_DEV;

/// All rights of an ABI.
uint64_t known_rights(int abi) {
  unsigned count = abi >= 5 ? 16 : abi >= 3 ? 15 : abi == 2 ? 14 : 13;
  return (uint64_t(1) << count) - 1;
}

llvm::Error failed(const char *what) {
  return llvm::createStringError("Landlock: %s: %s", what,
                                 std::strerror(errno));
}

/// Adds a rule for an open file or directory.
llvm::Error allow(int ruleset, const std::string &path, uint64_t rights,
                  int fd) {
  struct stat status;
  if (::fstat(fd, &status) == 0 && !S_ISDIR(status.st_mode))
    rights &= OF_FILES;
  PathBeneath rule = {rights, fd};
  if (::syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0) == 0)
    return llvm::Error::success();
  return failed(path.c_str());
}

/// Adds a rule for a path. When `optional`, a missing path is no error.
llvm::Error allow(int ruleset, const std::string &path, uint64_t rights,
                  bool optional) {
  const int fd = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (fd < 0)
    return optional ? llvm::Error::success() : failed(path.c_str());
  llvm::Error error = allow(ruleset, path, rights, fd);
  ::close(fd);
  return error;
}

} // namespace

int landlock_abi() {
  long abi = ::syscall(CREATE_RULESET, nullptr, 0, ASK_VERSION);
  return abi < 0 ? 0 : int(abi);
}

llvm::Expected<int> landlock_ruleset(const Grants &grants) {
  const int abi = landlock_abi();
  const uint64_t known = known_rights(abi);
  RulesetAttributes attributes;
  attributes.files = known;
  attributes.network = BIND_AND_CONNECT_TCP;
  attributes.scopes =
      grants.ends_children ? ABSTRACT_SOCKETS : ABSTRACT_SOCKETS | SIGNALS;
  const size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  int ruleset = int(::syscall(CREATE_RULESET, &attributes, size, 0));
  if (ruleset < 0)
    return failed("no ruleset");
  ::fcntl(ruleset, F_SETFD, FD_CLOEXEC);
  llvm::Error error = llvm::Error::success();
  auto add = [&](const std::string &path, uint64_t rights, bool optional) {
    if (!error)
      error = allow(ruleset, path, rights & known, optional);
  };
  for (const Grants::Directory &directory : grants.directories) {
    const uint64_t rights = directory.writable ? CHANGE : READ;
    if (directory.fd < 0)
      add(directory.path, rights, false);
    else if (!error)
      error = allow(ruleset, directory.path, rights & known, directory.fd);
  }
  for (const std::string &path : grants.readable)
    add(path, READ, true);
  for (const std::string &path : grants.writable_files)
    add(path, right::WRITE_FILE | right::TRUNCATE, false);
  for (const std::string &path : grants.devices)
    add(path, USE_DEVICE, true);
  if (!error)
    return ruleset;
  ::close(ruleset);
  return std::move(error);
}

llvm::Error landlock_restrict(int ruleset) {
  uint32_t flags = landlock_abi() >= 8 ? ALL_THREADS : 0;
  if (::syscall(RESTRICT_SELF, ruleset, flags) == 0)
    return llvm::Error::success();
  return failed("cannot restrict the process");
}

} // namespace gpuexec::sandbox
