//===-- emulator/ptx/lower/module.h - A PTX module as LLVM IR --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_MODULE_H
#define GPUEXEC_EMULATOR_PTX_LOWER_MODULE_H

#include "emulator/ptx/parse/syntax.h"
#include "llvm/IR/Module.h"

namespace gpuexec::ptx {

/// Makes a module for amdgcn-amd-amdhsa with a wave of 32 lanes, or for the
/// processor of `target` (emulator/ptx/host/): a kernel for
/// each .entry, a function for each .func, a variable for each .global, .const
/// and .shared. `name`: how errors call the PTX text. `several`: other texts are
/// linked with it, which may call its functions. An error says "NAME:LINE: what
/// is wrong".
llvm::Expected<std::unique_ptr<llvm::Module>>
lower(const Module &module, llvm::StringRef name, llvm::LLVMContext &context,
      bool several = false,
      const llvm::Triple &target = llvm::Triple("amdgcn-amd-amdhsa"));

/// True for a variable that other texts do not see. Where no other text has one
/// of that name it has a symbol all the same, by which the host finds it.
bool is_static(const llvm::GlobalVariable &variable);

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_LOWER_MODULE_H
