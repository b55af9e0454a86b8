//===-- disassembly/inside.cpp - With LLVM's tables inside ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AmdgpuDisassembler::create() for programs that LLVM's tables are linked into.
//===----------------------------------------------------------------------===//
#include "disassembly/llvm.h"

namespace gpuexec {

llvm::Expected<std::unique_ptr<AmdgpuDisassembler>>
AmdgpuDisassembler::create(llvm::StringRef cpu, llvm::StringRef features) {
  std::string error;
  if (auto made = disassembly::make_amdgpu(cpu, features, error))
    return made;
  return llvm::createStringError(error);
}

} // namespace gpuexec
