//===-- loader/device/free_memory.cpp - See free_memory.h -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// /proc/meminfo (proc(5)) and control groups of both versions (cgroups(7)).
//===----------------------------------------------------------------------===//
#include "loader/device/free_memory.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <string>

namespace gpuexec {

/// The content of a file; "" if it cannot be read.
static std::string text_of(const llvm::Twine &path) {
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  return file ? (*file)->getBuffer().str() : std::string();
}

/// The number in a file; empty if it says "max", or there is no such file.
static std::optional<uint64_t> number_in(const llvm::Twine &path) {
  uint64_t number;
  const std::string text = text_of(path);
  if (!llvm::to_integer(llvm::StringRef(text).trim(), number, 10))
    return std::nullopt;
  return number;
}

static std::optional<uint64_t> available_in_machine(llvm::StringRef root) {
  const std::string text = text_of(root + "/proc/meminfo");
  llvm::StringRef left = text;
  while (!left.empty()) {
    auto [line, rest] = left.split('\n');
    uint64_t kibibytes;
    if (line.consume_front("MemAvailable:") && line.consume_back("kB") &&
        llvm::to_integer(line.trim(), kibibytes, 10))
      return kibibytes << 10;
    left = rest;
  }
  return std::nullopt;
}

/// Bytes that a control group and the groups that contain it may still use.
/// `most` and `now`: names of the files with a group's limit and its use.
static std::optional<uint64_t> left_in_groups(const std::string &mount,
                                              llvm::StringRef group,
                                              llvm::StringRef most,
                                              llvm::StringRef now) {
  std::optional<uint64_t> least;
  for (;;) {
    const std::string folder = mount + group.rtrim('/').str() + "/";
    if (std::optional<uint64_t> limit = number_in(folder + most)) {
      const uint64_t used = number_in(folder + now).value_or(0);
      const uint64_t left = *limit - std::min(used, *limit);
      least = std::min(left, least.value_or(left));
    }
    if (group.empty() || group == "/")
      return least;
    group = group.rsplit('/').first;
  }
}

std::optional<uint64_t> free_memory(llvm::StringRef root) {
  std::optional<uint64_t> least = available_in_machine(root);
  const auto consider = [&](std::optional<uint64_t> left) {
    if (left)
      least = std::min(*left, least.value_or(*left));
  };
  const std::string groups = text_of(root + "/proc/self/cgroup");
  llvm::StringRef left = groups;
  while (!left.empty()) { // lines are NUMBER:CONTROLLERS:GROUP
    auto [line, rest] = left.split('\n');
    auto [controllers, group] = line.split(':').second.split(':');
    if (controllers.empty())
      consider(left_in_groups(root.str() + "/sys/fs/cgroup", group,
                              "memory.max", "memory.current"));
    else if (("," + controllers + ",").str().find(",memory,") !=
             std::string::npos)
      consider(left_in_groups(root.str() + "/sys/fs/cgroup/memory", group,
                              "memory.limit_in_bytes",
                              "memory.usage_in_bytes"));
    left = rest;
  }
  return least;
}

} // namespace gpuexec
