//===-- emulator/hsa/readers.cpp - Code object readers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/readers.h"

#include <cerrno>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuexec::emulator {

// A handle is the reader's address. It is looked up in `all` and never
// dereferenced before. The process keeps the readers, which may outlive the
// runtime that made them.
Readers &Readers::get() {
  static auto *readers = new Readers;
  return *readers;
}

hsa_code_object_reader_t Readers::add(CodeObjectBytes bytes) {
  auto reader = std::make_shared<CodeObjectBytes>(std::move(bytes));
  if (!reader->owned.empty())
    reader->data = reader->owned.data();
  std::lock_guard guard(lock);
  uint64_t handle = reinterpret_cast<uint64_t>(reader.get());
  all[handle] = std::move(reader);
  return {handle};
}

std::shared_ptr<const CodeObjectBytes> Readers::find(uint64_t handle) {
  std::lock_guard guard(lock);
  auto found = all.find(handle);
  return found == all.end() ? nullptr : found->second;
}

bool Readers::remove(uint64_t handle) {
  std::lock_guard guard(lock);
  return all.erase(handle) != 0;
}

hsa_status_t Readers::read_file(hsa_file_t file, size_t offset, size_t size,
                                hsa_code_object_reader_t *reader) {
  struct stat info;
  if (fstat(file, &info) || !S_ISREG(info.st_mode))
    return HSA_STATUS_ERROR_INVALID_FILE;
  size_t length = size_t(info.st_size);
  if (offset > length || size > length - offset)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!size)
    size = length - offset;
  CodeObjectBytes bytes;
  bytes.owned.resize(size);
  bytes.size = size;
  bytes.storage = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE;
  for (size_t done = 0; done < size;) {
    ssize_t got = pread(file, bytes.owned.data() + done, size - done,
                        off_t(offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return HSA_STATUS_ERROR_INVALID_FILE;
    done += size_t(got);
  }
  char link[64], path[4096];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  ssize_t length_of_path = readlink(link, path, sizeof(path));
  if (length_of_path > 0)
    bytes.uri = "file://" + std::string(path, size_t(length_of_path));
  *reader = add(std::move(bytes));
  return HSA_STATUS_SUCCESS;
}

} // namespace gpuexec::emulator
