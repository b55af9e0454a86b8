//===-- loader/apps/run/version.cpp - See version.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/apps/run/version.h"
#include "gpu/emulated_processors.h"
#include "loader/apps/commit.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"

namespace gpuexec {

void print_version(llvm::raw_ostream &os) {
  constexpr llvm::StringLiteral commit = GPUEXEC_COMMIT;
  os << "gpuexec " GPUEXEC_VERSION " (";
  if (!commit.empty())
    os << "commit " << commit << ", ";
  os << "LLVM " LLVM_VERSION_STRING ")\n"
        "NVIDIA GPUs: cubin and PTX, sm_70 and later\n"
        "AMD GPUs: code objects, gfx90a, gfx942 and RDNA\n"
        "emulated AMD GPUs:";
  for (llvm::StringRef left = gpu::EMULATED_PROCESSORS; !left.empty();) {
    auto [name, rest] = left.split(',');
    os << " " << name;
    left = rest;
  }
  os << "\n";
}

} // namespace gpuexec
