//===-- emulator/ptx/tool/device_library.cpp - Its bitcode ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/tool/compile.h"

namespace gpuexec::ptx {

llvm::StringRef device_library() {
  static constexpr unsigned char BITCODE[] = {
#embed "ptx-device.bc"
  };
  return llvm::StringRef(reinterpret_cast<const char *>(BITCODE),
                         sizeof(BITCODE));
}

llvm::StringRef host_library() {
  static constexpr unsigned char BITCODE[] = {
#embed "ptx-host.bc"
  };
  return llvm::StringRef(reinterpret_cast<const char *>(BITCODE),
                         sizeof(BITCODE));
}

} // namespace gpuexec::ptx
