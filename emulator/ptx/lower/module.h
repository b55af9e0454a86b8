//===-- emulator/ptx/lower/module.h - A PTX module as LLVM IR --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_MODULE_H
#define GPUEXEC_EMULATOR_PTX_LOWER_MODULE_H

#include "emulator/ptx/parse/syntax.h"
#include "llvm/IR/Module.h"

namespace gpuexec::ptx {

/// Makes a module for amdgcn-amd-amdhsa with a wave of 32 lanes: a kernel for
/// each .entry, a function for each .func, a variable for each .global, .const
/// and .shared. `name`: how errors call the PTX text. An error says
/// "NAME:LINE: what is wrong".
llvm::Expected<std::unique_ptr<llvm::Module>>
lower(const Module &module, llvm::StringRef name, llvm::LLVMContext &context);

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_LOWER_MODULE_H
