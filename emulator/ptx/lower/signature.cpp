//===-- emulator/ptx/lower/signature.cpp - See signature.h ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/lower/signature.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuexec::ptx {

/// The largest structure whose words are arguments of their own.
constexpr uint64_t MOST_BYTES_AS_WORDS = 128;

llvm::Type *Passed::argument(unsigned local_space) const {
  return kind == Kind::value
             ? type
             : PointerType::get(type->getContext(), local_space);
}

Passed how_passed(const Variable &variable, LLVMContext &context) {
  const uint64_t bytes = variable.bytes();
  Passed passed;
  passed.alignment = std::max(variable.alignment_in_bytes(), 4u);
  if (variable.is_array() && variable.elements() == 0) {
    passed.kind = Passed::Kind::pointer;
    passed.type = llvm::Type::getInt8Ty(context);
  } else if (!variable.is_array() && variable.vector == 1) {
    passed.type = IntegerType::get(context, bits_of(variable.type));
  } else if (bytes <= MOST_BYTES_AS_WORDS) {
    passed.type =
        ArrayType::get(llvm::Type::getInt32Ty(context), divideCeil(bytes, 4));
  } else {
    passed.kind = Passed::Kind::memory;
    passed.type =
        ArrayType::get(llvm::Type::getInt32Ty(context), divideCeil(bytes, 4));
  }
  return passed;
}

FunctionType *function_type(ArrayRef<Variable> results,
                            ArrayRef<Variable> parameters, bool may_exit,
                            unsigned local_space, LLVMContext &context) {
  SmallVector<llvm::Type *, 4> returned;
  if (may_exit)
    returned.push_back(llvm::Type::getInt1Ty(context));
  // A large result is returned whole, too: LLVM finds a place for it.
  for (const Variable &each : results)
    returned.push_back(how_passed(each, context).type);
  llvm::Type *result = returned.empty() ? llvm::Type::getVoidTy(context)
                       : returned.size() == 1
                           ? returned[0]
                           : StructType::get(context, returned);
  SmallVector<llvm::Type *, 8> arguments;
  for (const Variable &each : parameters)
    arguments.push_back(how_passed(each, context).argument(local_space));
  return FunctionType::get(result, arguments, false);
}

} // namespace gpuexec::ptx
