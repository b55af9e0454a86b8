//===-- support/descriptor.h - File descriptors -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SUPPORT_DESCRIPTOR_H
#define GPUEXEC_SUPPORT_DESCRIPTOR_H

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
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

/// Reads a regular file from its beginning, wherever `fd` stands in it. Returns
/// no bytes of a file that has more than `largest`, and only those before the
/// place where reading fails.
inline std::string read_all(int fd, uint64_t largest) {
  std::string bytes;
  struct stat status;
  if (::fstat(fd, &status) != 0 || uint64_t(status.st_size) > largest)
    return bytes;
  bytes.resize(size_t(status.st_size));
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count =
        ::pread(fd, bytes.data() + done, bytes.size() - done, off_t(done));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    done += size_t(count);
  }
  bytes.resize(done);
  return bytes;
}

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_DESCRIPTOR_H
