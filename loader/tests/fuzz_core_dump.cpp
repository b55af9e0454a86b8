//===-- loader/tests/fuzz_core_dump.cpp - Any bytes as a core dump --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fault left on an NVIDIA GPU is told in lines of text that no terminal
// would obey, or is an error in words.
//===----------------------------------------------------------------------===//
#include "loader/device/cuda/core_dump.h"
#include "support/printable.h"
#include "llvm/ADT/StringRef.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  llvm::Expected<std::string> text =
      gpuexec::cuda::describe_core_dump({bytes, "dump"});
  if (!text) {
    llvm::consumeError(text.takeError());
    return 0;
  }
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(*text).split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (gpuexec::printable(line) != line)
      abort();
  return 0;
}
