//===-- emulator/ptx/lower/host.h - Code for this machine ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lowering does differently where the module is for the host's processor.
// What a lane asks of its warp, block and launch are calls of functions without
// a body (names.h), which emulator/ptx/host/ replaces.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_HOST_H
#define GPUEXEC_EMULATOR_PTX_LOWER_HOST_H

#include "emulator/ptx/lower/emitter.h"
#include "emulator/ptx/lower/names.h"
#include "emulator/ptx/lower/states.h"

namespace gpuexec::ptx {

/// A number that the launch or the lane's place in it determines.
llvm::Value *host_number(Emitter &e, llvm::StringRef name, llvm::Type *type);

/// A call at which lanes of a warp or block meet.
llvm::Value *host_meeting(Emitter &e, llvm::StringRef name, llvm::Type *result,
                          llvm::ArrayRef<llvm::Value *> arguments);

/// Whether instructions with this opcode are not there for the host.
bool is_unfit(llvm::StringRef opcode);

/// Whoever reaches this place is not fit for the host, because of `what`.
void unfit(Emitter &e, llvm::StringRef what);

/// shfl, vote, match, redux, elect, bar, barrier, activemask, fences. The same
/// contract as lower_warp().
bool lower_host_warp(Emitter &e, const Instruction &i);

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_LOWER_HOST_H
