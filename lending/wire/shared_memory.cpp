//===-- lending/wire/shared_memory.cpp - What both sides see --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/wire/shared_memory.h"
#include "support/failure.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace gpuexec::wire {

static constexpr int CANNOT_CHANGE = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;

SharedMemory::~SharedMemory() {
  for (const Part &part : parts)
    if (part.ours)
      ::munmap(part.host, part.size);
}

void SharedMemory::add(DeviceAddress begin, std::byte *host, uint64_t size) {
  std::lock_guard lock(mutex);
  parts.push_back({begin, host, size, /*ours=*/false});
}

llvm::Error SharedMemory::map(DeviceAddress begin, uint64_t size,
                              const UniqueFd &file) {
  struct stat facts {};
  // A file that can shrink would end this process with SIGBUS.
  if (::fstat(file.get(), &facts) != 0 || uint64_t(facts.st_size) < size ||
      !(::fcntl(file.get(), F_GET_SEALS) & F_SEAL_SHRINK))
    return failure(Reason::failed, "the device's memory cannot be shared");
  void *host = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE, file.get(), 0);
  if (host == MAP_FAILED)
    return failure(Reason::failed,
                   "no address space for the device's memory: {0}",
                   std::strerror(errno));
  ::madvise(host, size, MADV_DONTDUMP);
  std::lock_guard lock(mutex);
  parts.push_back({begin, static_cast<std::byte *>(host), size, /*ours=*/true});
  return llvm::Error::success();
}

std::byte *SharedMemory::view(DeviceAddress address, uint64_t size) const {
  std::lock_guard lock(mutex);
  for (const Part &part : parts)
    if (lies_in(address, size, part.begin, part.size))
      return part.host + (address - part.begin);
  return nullptr;
}

UniqueFd sealed_memory(const char *name, uint64_t size) {
  UniqueFd file(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file && (::ftruncate(file.get(), off_t(size)) != 0 ||
               ::fcntl(file.get(), F_ADD_SEALS,
                       F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0))
    file = UniqueFd(); // errno stays: close() of a file in memory sets none
  return file;
}

UniqueFd sealed_file(const char *name, llvm::StringRef bytes) {
  UniqueFd file(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  // A copy by the kernel: to map the file would cost a fault for each page.
  if (file &&
      (::ftruncate(file.get(), off_t(bytes.size() + 1)) != 0 ||
       write_all(file.get(), bytes) != 0 ||
       ::fcntl(file.get(), F_ADD_SEALS, CANNOT_CHANGE | F_SEAL_SEAL) != 0))
    file = UniqueFd();
  return file;
}

llvm::Error SealedBytes::map(int file, uint64_t wanted) {
  struct stat facts {};
  const int seals = ::fcntl(file, F_GET_SEALS); // -1: no file in memory
  if (seals < 0 || (seals & CANNOT_CHANGE) != CANNOT_CHANGE ||
      ::fstat(file, &facts) != 0 || uint64_t(facts.st_size) != wanted + 1)
    return failure(Reason::failed, "the image is in no file that stays as it "
                                   "is");
  void *memory = ::mmap(nullptr, size_t(facts.st_size), PROT_READ,
                        MAP_PRIVATE | MAP_POPULATE, file, 0);
  if (memory == MAP_FAILED)
    return failure(Reason::failed, "no address space for the image: {0}",
                   std::strerror(errno));
  data = static_cast<const char *>(memory);
  size = size_t(wanted);
  if (data[size])
    return failure(Reason::failed, "the image has no end");
  return llvm::Error::success();
}

SealedBytes::~SealedBytes() {
  if (data)
    ::munmap(const_cast<char *>(data), size + 1);
}

} // namespace gpuexec::wire
