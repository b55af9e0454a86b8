//===-- toolchain/frontend/list_objects.h - Objects by value ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_LIST_OBJECTS_H
#define GPUEXEC_TOOLCHAIN_LIST_OBJECTS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace gpuexec {

/// A function whose parameters have the classes of this translation unit that
/// functions take by value and that have a constructor for copies or moves, or
/// a destructor. For the pass pass_objects, once the unit has been parsed; null
/// if there is no such class. It belongs to the context, and the unit does not
/// list it: give it to what generates code.
clang::FunctionDecl *list_objects(clang::ASTContext &context);

} // namespace gpuexec

#endif
