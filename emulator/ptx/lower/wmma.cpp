//===-- emulator/ptx/lower/wmma.cpp - wmma --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/wmma.h"

namespace gpuexec::ptx {

void lower_wmma(Emitter &e, const Instruction &i) {
  e.fail(i, "wmma is not there");
}

} // namespace gpuexec::ptx
