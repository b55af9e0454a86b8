//===-- loader/sandbox/sandbox.cpp - Confinement by the kernel ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/sandbox/sandbox.h"
#include "loader/sandbox/filter.h"
#include "loader/sandbox/landlock.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

// LeakSanitizer stops the process with ptrace() when it ends, which the sandbox
// forbids. In builds with it, it calls this function first.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
static bool no_search_for_leaks = false;
extern "C" int __lsan_is_turned_off() { return no_search_for_leaks; }
#define GPUEXEC_NO_SEARCH_FOR_LEAKS() (no_search_for_leaks = true)
#endif
#endif
#ifndef GPUEXEC_NO_SEARCH_FOR_LEAKS
#define GPUEXEC_NO_SEARCH_FOR_LEAKS() (void)0
#endif

namespace gpuexec::sandbox {

Layers available_layers() { return {landlock_abi() > 0, has_seccomp()}; }

std::string missing_layers() {
  Layers layers = available_layers();
  std::string text;
  if (!layers.landlock)
    text = "Landlock (Linux 5.13, and 'landlock' among the kernel's lsm=)";
  if (!layers.seccomp)
    text += std::string(text.empty() ? "" : " and ") + "seccomp filters";
  return text;
}

llvm::Expected<Sandbox> Sandbox::prepare(const Grants &grants, Layers layers) {
  Sandbox sandbox(grants.calls, layers);
  if (layers.landlock) {
    llvm::Expected<int> ruleset = landlock_ruleset(grants);
    if (!ruleset)
      return ruleset.takeError();
    sandbox.ruleset = *ruleset;
  }
  return std::move(sandbox);
}

Sandbox::Sandbox(Sandbox &&other)
    : calls(other.calls), layers(other.layers),
      ruleset(std::exchange(other.ruleset, -1)) {}

Sandbox::~Sandbox() {
  if (ruleset >= 0)
    ::close(ruleset);
}

llvm::Error Sandbox::confine_thread() const {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return llvm::createStringError("no_new_privs: %s", std::strerror(errno));
  return layers.landlock ? landlock_restrict(ruleset) : llvm::Error::success();
}

llvm::Error Sandbox::confine_process() const {
  // A core dump contains data that the program read, and would be written where
  // nothing was granted. Other limits stay as the user set them.
  GPUEXEC_NO_SEARCH_FOR_LEAKS();
  const rlimit none = {0, 0};
  if (::setrlimit(RLIMIT_CORE, &none) != 0)
    return llvm::createStringError("RLIMIT_CORE: %s", std::strerror(errno));
  return layers.seccomp ? load_filter(calls) : llvm::Error::success();
}

std::vector<int> inherited_descriptors() {
  std::vector<int> found;
  DIR *folder = ::opendir("/proc/self/fd");
  if (!folder)
    return found;
  while (dirent *entry = ::readdir(folder)) {
    int fd = std::atoi(entry->d_name); // 0 for the dots
    if (fd > STDERR_FILENO && (::fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0)
      found.push_back(fd);
  }
  ::closedir(folder);
  return found;
}

llvm::Error confine(const Grants &grants, Layers layers) {
  llvm::Expected<Sandbox> sandbox = Sandbox::prepare(grants, layers);
  if (!sandbox)
    return sandbox.takeError();
  if (llvm::Error error = sandbox->confine_thread())
    return error;
  return sandbox->confine_process();
}

} // namespace gpuexec::sandbox
