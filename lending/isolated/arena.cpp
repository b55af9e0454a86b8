//===-- lending/isolated/arena.cpp - Memory that processes share ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/isolated/arena.h"
#include "support/failure.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace gpuexec::isolated {

llvm::Expected<std::unique_ptr<Arena>> Arena::reserve() {
  // A limit on address space (ulimit -v) or strict overcommit may forbid much.
  constexpr uint64_t WANTED = uint64_t(256) << 30, LEAST = uint64_t(64) << 20;
  for (uint64_t size = WANTED; size >= LEAST; size /= 4) {
    void *memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      continue;
    ::madvise(memory, size, MADV_DONTDUMP);
    return std::unique_ptr<Arena>(new Arena(DeviceAddress::of(memory), size));
  }
  return failure(Reason::failed,
                 "no address space for the device's memory: {0}",
                 std::strerror(errno));
}

Arena::~Arena() { ::munmap(begin.shared(), bytes); }

} // namespace gpuexec::isolated
