//===-- emulator/amdgpu/code/coverage.cpp - Executed opcodes --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/code/coverage.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace gpuexec::emulator::amdgpu {

std::unique_ptr<Coverage> Coverage::from_environment() {
  const char *path = std::getenv("GPUEXEC_EMULATOR_COVERAGE");
  if (!path || !*path)
    return nullptr;
  std::unique_ptr<Coverage> coverage(new Coverage);
  coverage->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (coverage->file < 0)
    std::fprintf(stderr,
                 "gpuexec emulator: GPUEXEC_EMULATOR_COVERAGE: %s: %s\n", path,
                 std::strerror(errno));
  coverage->seen.reset(new ops::u8[1 << 16]());
  return coverage;
}
Coverage::~Coverage() {
  if (file >= 0)
    close(file);
}
void Coverage::write(const char *name) {
  std::string line = std::string(name) + "\n";
  // One call of write() for each line: lines of concurrent processes do not
  // mix.
  if (file >= 0)
    (void)!::write(file, line.data(), line.size());
}

} // namespace gpuexec::emulator::amdgpu
