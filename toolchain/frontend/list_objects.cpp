//===-- toolchain/frontend/list_objects.cpp - Objects by value ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object with a destructor, or with a constructor for copies or moves, is
// passed by value as the address of an object that the caller makes and
// destroys: it may not be copied byte by byte. For NVIDIA's GPUs clang 22
// passes every class as an LLVM parameter with `byval`, which is a copy of the
// bytes: what the function moves out of its object the caller destroys again.
// The pass pass_objects takes `byval` away, but LLVM's types do not say which
// classes these are. So clang is told to make a function with a parameter of
// each; the pass reads its types and removes it.
//===----------------------------------------------------------------------===//
#include "list_objects.h"
#include "toolchain/passes/shared/object_arguments.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace {

using Classes = llvm::SmallSetVector<const CXXRecordDecl *, 16>;

/// Visits everything, so that clang reads all of a precompiled header: what is
/// not read yet is not among the context's types.
struct ReadAll : DynamicRecursiveASTVisitor {
  ReadAll() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }
};

/// The classes of objects that functions, called or defined, take by value and
/// that clang must not pass as bytes. Each call has the type of a function,
/// also one through a pointer.
Classes object_arguments(ASTContext &context) {
  if (context.getExternalSource())
    ReadAll().TraverseAST(context);
  Classes found;
  // A definition of a precompiled header may add types while it is read.
  for (size_t i = 0; i < context.getTypes().size(); ++i) {
    const auto *function = dyn_cast<FunctionProtoType>(context.getTypes()[i]);
    if (!function || !function->isCanonicalUnqualified())
      continue;
    for (const QualType parameter : function->param_types()) {
      const CXXRecordDecl *object = parameter->getAsCXXRecordDecl();
      object = object ? object->getDefinition() : nullptr;
      if (object && !object->isInvalidDecl() && !object->isDependentType() &&
          object->isCompleteDefinition() && !object->canPassInRegisters())
        found.insert(object);
    }
  }
  return found;
}

} // namespace

FunctionDecl *gpuexec::list_objects(ASTContext &context) {
  const Classes classes = object_arguments(context);
  if (classes.empty())
    return nullptr;
  const SourceLocation nowhere;
  llvm::SmallVector<QualType, 16> types;
  for (const CXXRecordDecl *each : classes)
    types.push_back(context.getCanonicalTagType(each));
  const QualType type = context.getFunctionType(
      context.VoidTy, types, FunctionProtoType::ExtProtoInfo());
  DeclContext *const unit = context.getTranslationUnitDecl();
  FunctionDecl *function = FunctionDecl::Create(
      context, unit, nowhere, nowhere, &context.Idents.get(OBJECT_ARGUMENTS),
      type, context.getTrivialTypeSourceInfo(type), SC_Static);
  llvm::SmallVector<ParmVarDecl *, 16> parameters;
  for (const QualType each : types)
    parameters.push_back(ParmVarDecl::Create(
        context, function, nowhere, nowhere, nullptr, each,
        context.getTrivialTypeSourceInfo(each), SC_None, nullptr));
  function->setParams(parameters);
  function->setBody(CompoundStmt::CreateEmpty(context, 0, false));
  // The name as it is, and nothing but the function.
  function->addAttr(AsmLabelAttr::CreateImplicit(context, OBJECT_ARGUMENTS));
  function->addAttr(UsedAttr::CreateImplicit(context));
  function->addAttr(NoDebugAttr::CreateImplicit(context));
  function->addAttr(NoInstrumentFunctionAttr::CreateImplicit(context));
  function->addAttr(NoProfileFunctionAttr::CreateImplicit(context));
  return function;
}
