//===-- toolchain/gpucc/host_machine.cpp - See host_machine.h -------------===//
// native_arch() is in native_arch.cpp, elf_machine() in elf_machine.cpp.
//===----------------------------------------------------------------------===//
#include "host_machine.h"
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace gpuexec {

// build/bin/gpucc -> build/lib/gpuexec
std::string HostMachine::device_root(std::string &problem) const {
  char self[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0) {
    problem = std::string("cannot find my own executable: ") + strerror(errno);
    return "";
  }
  std::string bin(self, (size_t)length);
  bin.resize(bin.rfind('/'));
  return bin.substr(0, bin.rfind('/')) + "/lib/gpuexec";
}

std::optional<std::string> HostMachine::variable(const char *name) const {
  const char *value = getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

bool HostMachine::is_executable(const std::string &path) const {
  return access(path.c_str(), X_OK) == 0;
}

int HostMachine::cannot_read(const std::string &path) const {
  return access(path.c_str(), R_OK) == 0 ? 0 : errno;
}

std::string HostMachine::real_path(const std::string &path) const {
  char real[PATH_MAX];
  return realpath(path.c_str(), real) ? real : path;
}

} // namespace gpuexec
