//===-- emulator/cuda/driver/read_file.cpp - See read_file.h --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/read_file.h"
#include "support/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuexec::cuda {

bool read_file(const char *path, std::string &bytes) {
  const UniqueFd file(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      size_t(status.st_size) > LARGEST_FILE)
    return false;
  bytes = read_all(file.get(), LARGEST_FILE);
  return bytes.size() == size_t(status.st_size);
}

} // namespace gpuexec::cuda
