//===-- emulator/ptx/lower/comparison.cpp - See emitter.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/lower/emitter.h"

namespace gpuexec::ptx {

bool lower_comparison(Emitter &, const Instruction &) { return false; }

} // namespace gpuexec::ptx
