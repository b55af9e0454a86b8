//===-- emulator/ptx/lower/signature.h - How values are passed -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scalar is passed as iN, a small structure as words, a large one by value in
// memory. Calls and functions agree by this file alone, also through pointers.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_SIGNATURE_H
#define GPUEXEC_EMULATOR_PTX_LOWER_SIGNATURE_H

#include "emulator/ptx/parse/syntax.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"

namespace gpuexec::ptx {

/// How a function takes a parameter or gives a result.
struct Passed {
  enum class Kind : uint8_t {
    value,  ///< as `type`
    memory, ///< a pointer to a copy (byval) of `type`
    pointer ///< a pointer to the caller's own, of `x[]`
  } kind = Kind::value;
  llvm::Type *type = nullptr;
  uint32_t alignment = 0;

  /// The type of LLVM's argument.
  llvm::Type *argument(unsigned local_space) const;
};

Passed how_passed(const Variable &variable, llvm::LLVMContext &context);

/// Of results and parameters. `local_space`: of pointers to the stack.
/// `may_exit`: the first result is then an i1, true if the thread has ended.
llvm::FunctionType *function_type(llvm::ArrayRef<Variable> results,
                                  llvm::ArrayRef<Variable> parameters,
                                  bool may_exit, unsigned local_space,
                                  llvm::LLVMContext &context);

/// byval of parameters in memory, for the function or for a call of it.
template <typename FunctionOrCall>
void mark_parameters(FunctionOrCall &target,
                     llvm::ArrayRef<Variable> parameters) {
  llvm::LLVMContext &context = target.getContext();
  for (unsigned at = 0; at < parameters.size(); ++at) {
    const Passed passed = how_passed(parameters[at], context);
    if (passed.kind != Passed::Kind::memory)
      continue;
    target.addParamAttr(
        at, llvm::Attribute::getWithByValType(context, passed.type));
    target.addParamAttr(at, llvm::Attribute::getWithAlignment(
                                context, llvm::Align(passed.alignment)));
  }
}

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_LOWER_SIGNATURE_H
