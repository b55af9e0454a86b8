//===-- toolchain/frontend/emit_exceptions.h - throw with OpenMP *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang 22 makes a trap of `throw`, and leaves out the handlers of `try`, where
// it compiles OpenMP for a GPU as the device code of a host program. It asks
// for that (LangOptions' OpenMPIsTargetDevice) when it emits a function.
// EmitExceptions makes the option false there; while clang parses it is true.
// The OpenMP runtime for GPUs, which clang has chosen by then, stays.
//
// There are two consumers: clang's own, which emits code, is between them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TOOLCHAIN_EMIT_EXCEPTIONS_H
#define GPUEXEC_TOOLCHAIN_EMIT_EXCEPTIONS_H

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Basic/LangOptions.h"

namespace gpuexec {

/// In front of every call of clang's own consumer, or behind it, sets whether
/// the program is a device's code.
class EmitExceptions : public clang::ASTConsumer {
public:
  EmitExceptions(clang::LangOptions &options, bool is_device)
      : options(options), is_device(is_device) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef) override { return set(); }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *) override { set(); }
  void HandleInterestingDecl(clang::DeclGroupRef) override { set(); }
  void HandleTranslationUnit(clang::ASTContext &) override { set(); }
  void HandleTagDeclDefinition(clang::TagDecl *) override { set(); }
  void HandleTagDeclRequiredDefinition(const clang::TagDecl *) override {
    set();
  }
  void HandleCXXImplicitFunctionInstantiation(clang::FunctionDecl *) override {
    set();
  }
  void CompleteTentativeDefinition(clang::VarDecl *) override { set(); }
  void CompleteExternalDeclaration(clang::DeclaratorDecl *) override { set(); }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *) override {
    set();
  }
  void AssignInheritanceModel(clang::CXXRecordDecl *) override { set(); }
  void HandleVTable(clang::CXXRecordDecl *) override { set(); }

private:
  bool set() {
    options.OpenMPIsTargetDevice = is_device;
    return true;
  }

  clang::LangOptions &options;
  const bool is_device;
};

} // namespace gpuexec

#endif
