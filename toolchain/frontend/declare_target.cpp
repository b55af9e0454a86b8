//===-- toolchain/frontend/declare_target.cpp - Private static variables --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inside declare target clang 22 takes each use of a static variable for one of
// the variable itself, also in a region that has a private copy of it: in
// private(x), reduction(+ : x) and as the counter of a loop; and a target
// region has no copy of it. Here every file is inside declare target, because
// clang makes no code of the rest. So this code lets clang parse functions
// outside of it from their first directive on. For that time the variables of
// the file are outside, too, unless the program itself declares them to be for
// a device. Then it marks all as clang does inside.
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

void mark(ValueDecl &declaration, ASTContext &context) {
  if (!OMPDeclareTargetDeclAttr::isDeclareTargetDeclaration(&declaration))
    declaration.addAttr(OMPDeclareTargetDeclAttr::CreateImplicit(
        context, OMPDeclareTargetDeclAttr::MT_To,
        OMPDeclareTargetDeclAttr::DT_Any, /*IndirectExpr=*/nullptr,
        /*Indirect=*/false, /*Level=*/1, declaration.getSourceRange()));
}

/// Does only the directive around the file mark the variable? Those of the
/// program are nested in it, or name the variable.
bool is_ours(const VarDecl &variable) {
  for (const auto *mark : variable.specific_attrs<OMPDeclareTargetDeclAttr>())
    if (mark->getLevel() != 1)
      return false;
  return variable.hasAttr<OMPDeclareTargetDeclAttr>();
}

/// Finds static variables, and marks them and functions if `marks`.
class Marker : public DynamicRecursiveASTVisitor {
public:
  Marker(ASTContext &context, bool marks,
         llvm::SmallVectorImpl<VarDecl *> &variables)
      : context(context), marks(marks), variables(variables) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (marks)
      mark(*function, context);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->hasGlobalStorage()) {
      if (marks)
        mark(*variable, context);
      variables.push_back(variable);
    }
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    if (marks)
      mark(*lambda->getCallOperator(), context);
    return true;
  }

private:
  ASTContext &context;
  const bool marks;
  llvm::SmallVectorImpl<VarDecl *> &variables;
};

} // namespace

void gpuexec::DeclareTarget::mark_variables() {
  for (VarDecl *variable : variables)
    mark(*variable, compiler.getASTContext());
}

void gpuexec::DeclareTarget::suspend() {
  if (!compiler.hasSema())
    return;
  const DeclContext &context = *compiler.getSema().CurContext;
  // clang reads the functions of a class before it parses them.
  if (!context.isFunctionOrMethod() && !context.isRecord())
    return;
  // clang decides again about the variables of a function when it makes one of
  // a template, usually at the end of the file.
  for_good |= context.isDependentContext() || context.isRecord();
  auto &nesting = nesting_of(compiler.getSema().OpenMP());
  if (contexts.empty())
    std::swap(contexts, nesting);
  for (VarDecl *variable : variables)
    if (is_ours(*variable))
      variable->dropAttr<OMPDeclareTargetDeclAttr>();
}

void gpuexec::DeclareTarget::resume(Decl &declaration) {
  const bool was_suspended = !contexts.empty();
  if (was_suspended && !for_good) {
    std::swap(contexts, nesting_of(compiler.getSema().OpenMP()));
    contexts.clear();
    mark_variables();
  }
  Marker(compiler.getASTContext(), was_suspended, variables)
      .TraverseDecl(&declaration);
}

void gpuexec::DeclareTarget::end() { mark_variables(); }
