//===-- toolchain/frontend/declare_target.cpp - Private static variables --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inside declare target clang 22 takes each use of a static variable for one of
// the variable itself, also in a region that has a private copy of it: in
// private(x), reduction(+ : x) and as the counter of a loop. Here every file is
// inside declare target, because clang makes no code of the rest. So this code
// lets clang parse functions outside of it from their first directive on, and
// marks what they declare as clang does inside.
//===----------------------------------------------------------------------===//
#include "declare_target.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace {

/// Names the private member of SemaOpenMP, which C++ allows in an explicit
/// instantiation.
template <auto member> struct Member {
  friend auto &nesting_of(SemaOpenMP &openmp) { return openmp.*member; }
};
template struct Member<&SemaOpenMP::DeclareTargetNesting>;
auto &nesting_of(SemaOpenMP &openmp);

/// Marks functions and static variables that are not marked.
class Marker : public DynamicRecursiveASTVisitor {
public:
  explicit Marker(ASTContext &context) : context(context) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitFunctionDecl(FunctionDecl *function) override {
    mark(*function);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->hasGlobalStorage())
      mark(*variable);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    mark(*lambda->getCallOperator());
    return true;
  }

private:
  void mark(ValueDecl &declaration) {
    if (!OMPDeclareTargetDeclAttr::isDeclareTargetDeclaration(&declaration))
      declaration.addAttr(OMPDeclareTargetDeclAttr::CreateImplicit(
          context, OMPDeclareTargetDeclAttr::MT_To,
          OMPDeclareTargetDeclAttr::DT_Any, /*IndirectExpr=*/nullptr,
          /*Indirect=*/false, /*Level=*/0, declaration.getSourceRange()));
  }

  ASTContext &context;
};

} // namespace

void gpuexec::DeclareTarget::suspend() {
  if (compiler.hasSema() && contexts.empty() &&
      compiler.getSema().CurContext->isFunctionOrMethod())
    std::swap(contexts, nesting_of(compiler.getSema().OpenMP()));
}

void gpuexec::DeclareTarget::end() {
  has_ended = true;
  if (compiler.hasSema() && contexts.empty())
    std::swap(contexts, nesting_of(compiler.getSema().OpenMP()));
}

void gpuexec::DeclareTarget::resume(Decl &declaration) {
  if (contexts.empty())
    return;
  Marker(compiler.getASTContext()).TraverseDecl(&declaration);
  if (has_ended)
    return;
  std::swap(contexts, nesting_of(compiler.getSema().OpenMP()));
  contexts.clear();
}
