//===-- emulator/amdgpu/fuzz/code_fuzzer.cpp - Any machine code -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The input is a kernel (launcher.h), run with registers that hold addresses
// inside and outside of memory (prologue.h). Whatever it does must end in a
// fault of the device or at its end:
//  - memory that is not the kernel's is inaccessible, poisoned by the address
//    sanitizer, or holds a pattern that is compared afterwards,
//  - so is memory that it may only read, and memory freed while it runs.
// The last line says how many instructions inputs executed. With
// GPUEXEC_FUZZ_INSTRUCTIONS=N the process ends after N of them.
// "--write-corpus FOLDER" writes 200 inputs.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/fuzz/inputs.h"
#include "emulator/amdgpu/fuzz/launcher.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

using namespace gpuexec::emulator::amdgpu::fuzz;

static Totals totals;

static void say_what_was_executed() {
  std::fprintf(stderr,
               "executed %llu instructions (%llu checked for undefined values) "
               "of %llu kernels, of which %llu ended in a fault\n",
               static_cast<unsigned long long>(totals.executed),
               static_cast<unsigned long long>(totals.checked),
               static_cast<unsigned long long>(totals.runs),
               static_cast<unsigned long long>(totals.faults));
}

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  if (*argc == 3 && !std::strcmp((*argv)[1], "--write-corpus")) {
    std::mt19937 random(1);
    for (unsigned k = 0; k < 200; ++k) {
      std::vector<uint8_t> bytes = some_input(random, 20 + k % 60);
      std::ofstream(std::string((*argv)[2]) + "/seed-" + std::to_string(k),
                    std::ios::binary)
          .write(reinterpret_cast<const char *>(bytes.data()),
                 std::streamsize(bytes.size()));
    }
    std::exit(0);
  }
  std::atexit(say_what_was_executed);
  return 0;
}

// The JIT compiler's library is built without the sanitizer and has an operator
// new of its own. The sanitizer may therefore see a delete without its new.
extern "C" const char *__asan_default_options() {
  return "alloc_dealloc_mismatch=0";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Launcher launcher;
  static const char *enough = std::getenv("GPUEXEC_FUZZ_INSTRUCTIONS");
  static const uint64_t limit =
      enough ? std::strtoull(enough, nullptr, 10) : ~uint64_t(0);
  if (size <= HEADER)
    return 0;
  launcher.run(data, size, totals);
  if (totals.executed >=
      limit) { // exit() would be taken for the kernel's doing
    say_what_was_executed();
    std::_Exit(0);
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t max, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(data, data + size);
  mutate(bytes, max, random);
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}
