//===-- support/descriptor.h - File descriptors -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SUPPORT_DESCRIPTOR_H
#define GPUEXEC_SUPPORT_DESCRIPTOR_H

#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace gpuexec {

/// Owns a file descriptor and closes it; -1: owns none.
class UniqueFd {
public:
  explicit UniqueFd(int fd = -1) : fd(fd) {}
  UniqueFd(UniqueFd &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  UniqueFd &operator=(UniqueFd &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~UniqueFd() { close(); }

  int get() const { return fd; }
  int release() { return std::exchange(fd, -1); }
  void close() {
    if (fd >= 0)
      ::close(release());
  }
  explicit operator bool() const { return fd >= 0; }

private:
  int fd;
};

/// The two ends of a pipe. exec() closes both.
struct Pipe {
  UniqueFd read, write;
  /// Opens the pipe. Returns false, with errno, on failure.
  bool make() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      return false;
    read = UniqueFd(ends[0]);
    write = UniqueFd(ends[1]);
    return true;
  }
};

/// Writes all of `bytes`, and goes on after interruptions by signals. Returns 0
/// or the errno of the write that failed.
inline int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count >= 0)
      bytes.remove_prefix(size_t(count));
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_DESCRIPTOR_H
