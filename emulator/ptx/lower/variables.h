//===-- emulator/ptx/lower/variables.h - .global and others ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_VARIABLES_H
#define GPUEXEC_EMULATOR_PTX_LOWER_VARIABLES_H

#include "emulator/ptx/lower/states.h"

namespace gpuexec::ptx {

/// LLVM's variable of one in .global, .const or .shared, without its initial
/// value. Null after an error.
llvm::GlobalVariable *make_variable(ModuleState &module,
                                    const Variable &variable);

/// Gives it its initial value, which may be the address of any variable or
/// function of the module. False after an error.
bool initialize_variable(ModuleState &module, const Variable &variable,
                         llvm::GlobalVariable &target);

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_LOWER_VARIABLES_H
