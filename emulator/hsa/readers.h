//===-- emulator/hsa/readers.h - Code object readers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_HSA_READERS_H
#define GPUEXEC_EMULATOR_HSA_READERS_H

#include "emulator/hsa/executable.h"

namespace gpuexec::emulator {

/// The code object readers of the process, by handle. Thread-safe.
class Readers {
public:
  static Readers &get();
  hsa_code_object_reader_t add(CodeObjectBytes bytes);
  /// Null when the handle is no reader's.
  std::shared_ptr<const CodeObjectBytes> find(uint64_t handle);
  bool remove(uint64_t handle);
  /// Reads `size` bytes (0: up to the end) of a file from `offset`.
  hsa_status_t read_file(hsa_file_t file, size_t offset, size_t size,
                         hsa_code_object_reader_t *reader);

private:
  std::mutex lock;
  std::map<uint64_t, std::shared_ptr<CodeObjectBytes>> all;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_READERS_H
