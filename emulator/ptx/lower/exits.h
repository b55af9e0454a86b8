//===-- emulator/ptx/lower/exits.h - Threads that end in calls -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_EXITS_H
#define GPUEXEC_EMULATOR_PTX_LOWER_EXITS_H

#include "emulator/ptx/lower/states.h"

namespace gpuexec::ptx {

/// Sets `may_exit` of each function that has `exit` or calls one that has. A
/// function whose address is taken is none of them: its callers do not know.
/// `several`: nor is one that another text can call.
void find_exits(ModuleState &module, bool several);

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_LOWER_EXITS_H
