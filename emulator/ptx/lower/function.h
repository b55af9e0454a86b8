//===-- emulator/ptx/lower/function.h - A function's body ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_FUNCTION_H
#define GPUEXEC_EMULATOR_PTX_LOWER_FUNCTION_H

#include "emulator/ptx/lower/emitter.h"
#include "emulator/ptx/lower/states.h"

namespace gpuexec::ptx {

/// Declares LLVM's function or kernel of a PTX function.
llvm::Function *declare_function(ModuleState &module, const Function &source);

/// Fills in a function that has a body. False after an error.
bool lower_body(ModuleState &module, const Function &source,
                llvm::Function &target);

/// Ends the block by returning from the function: its results, or, with
/// `exits`, the end of the thread.
void emit_return(Emitter &emitter, bool exits);

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_LOWER_FUNCTION_H
