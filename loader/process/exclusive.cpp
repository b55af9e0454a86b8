//===-- loader/process/exclusive.cpp - One program at a time --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/exclusive.h"
#include "support/failure.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>

namespace gpuexec {

llvm::Error lock_exclusively() {
  llvm::SmallString<256> folder;
  if (std::error_code error =
          llvm::sys::fs::real_path("/proc/self/exe", folder))
    return failure(Reason::failed, "--no-parallelism: {0}", error.message());
  llvm::sys::path::remove_filename(folder);
  int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int result = fd < 0 ? -1 : ::flock(fd, LOCK_EX);
  while (result != 0 && errno == EINTR)
    result = ::flock(fd, LOCK_EX);
  if (result != 0)
    return failure(Reason::failed, "--no-parallelism: {0}: {1}", folder,
                   std::strerror(errno));
  return llvm::Error::success(); // the descriptor stays open on purpose
}

} // namespace gpuexec
