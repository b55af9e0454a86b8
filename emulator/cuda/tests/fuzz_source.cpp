//===-- emulator/cuda/tests/fuzz_source.cpp - Any image of a module -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes are memory at an address, at which an image begins.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/driver/code.h"

#include <cstring>

using namespace gpuexec::cuda;

CodeError gpuexec::cuda::translate(const std::string &, const CodeSettings &,
                                   Made, std::string &, std::string &) {
  return CodeError::invalid_ptx; // another program's matter
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  constexpr uint64_t BASE = 0x10000;
  auto read = [&](uint64_t address, void *to, size_t bytes) {
    if (address < BASE || address - BASE > size ||
        bytes > size - (address - BASE))
      return false;
    if (bytes)
      memcpy(to, data + (address - BASE), bytes);
    return true;
  };
  Source source;
  std::string problem;
  if (read_source(BASE, read, source, problem) != SourceError::none)
    return 0;
  Code code;
  const CodeSettings settings{.processor = "gfx1100", .capability = 80};
  check_source(source, settings, problem);
  make_code(source, settings, code, problem);
  return 0;
}
