//===-- disassembly/borrowed.cpp - With LLVM's tables of the emulator -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AmdgpuDisassembler::create() for programs in bin/ without LLVM's tables: it
// opens the emulator's library in ../lib/gpuexec and calls the one there.
//===----------------------------------------------------------------------===//
#include "disassembly/llvm.h"
#include "support/trusted_path.h"

#include <dlfcn.h>

namespace gpuexec {
namespace {

/// Opens the emulator's library, for the rest of the process, and returns its
/// exports. On failure returns null, and `why` says what is wrong.
const disassembly::Exports *open_library(std::string &why) {
  std::string program, path;
  if (why = distrust("/proc/self/exe", &program); !why.empty())
    return nullptr;
  const std::string folder = program.substr(0, program.rfind('/') + 1);
  why = distrust(folder + disassembly::LIBRARY, &path);
  if (!why.empty())
    return nullptr;
  void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const void *const entry =
      library ? dlsym(library, disassembly::ENTRY) : nullptr;
  if (!entry) {
    why = dlerror();
    return nullptr;
  }
  const auto *exports = static_cast<const disassembly::Exports *>(entry);
  if (exports->layout == GPUEXEC_DISASSEMBLY_LAYOUT)
    return exports;
  why = path + ": of another build than " + program + ": install both again";
  return nullptr;
}

} // namespace

llvm::Expected<std::unique_ptr<AmdgpuDisassembler>>
AmdgpuDisassembler::create(llvm::StringRef cpu, llvm::StringRef features) {
  struct Opened {
    std::string why;
    const disassembly::Exports *exports = open_library(why);
  };
  static const Opened opened;
  if (!opened.exports)
    return llvm::createStringError("disassembler: " + opened.why);
  std::string error;
  if (auto made = opened.exports->make_amdgpu(cpu, features, error))
    return made;
  return llvm::createStringError(error);
}

} // namespace gpuexec
