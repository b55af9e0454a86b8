//===-- emulator/ptx/lower/wmma.h - wmma of matrix.cpp ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_WMMA_H
#define GPUEXEC_EMULATOR_PTX_LOWER_WMMA_H

#include "emulator/ptx/lower/emitter.h"

namespace gpuexec::ptx {

/// wmma.load, wmma.store and wmma.mma.
void lower_wmma(Emitter &e, const Instruction &i);

} // namespace gpuexec::ptx

#endif
