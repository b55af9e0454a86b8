//===-- toolchain/frontend/copy_scalars.cpp - Copies in target regions ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A target region has private variables: those of its clauses private and
// firstprivate, and copies of the scalars and pointers that no clause maps.
// clang knows them all (with defaultmap, too), but makes none when it compiles
// for a device, where the region's statements stay in their place. The scope
// construct makes private variables, and with `nowait` it does nothing else. So
// this code puts a scope in the place of each target region. Copies that the
// region only reads are left out.
//===----------------------------------------------------------------------===//
#include "copy_scalars.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;

namespace {

/// Does a clause only read the variables in its list, or hide them from the
/// construct?
bool leaves_variables(const OMPClause &clause) {
  switch (clause.getClauseKind()) {
  case llvm::omp::OMPC_firstprivate:
  case llvm::omp::OMPC_private:
  case llvm::omp::OMPC_shared:
    return true;
  default:
    return false;
  }
}

/// May the statement change the variable, or get its address?
bool may_change(const Stmt *statement, const VarDecl &variable) {
  if (!statement)
    return false;
  const auto any_of = [&](auto children) {
    return llvm::any_of(children, [&](const Stmt *child) {
      return may_change(child, variable);
    });
  };
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement))
    return reference->getDecl()->getCanonicalDecl() ==
           variable.getCanonicalDecl();
  if (const auto *load = dyn_cast<ImplicitCastExpr>(statement);
      load && load->getCastKind() == CK_LValueToRValue &&
      isa<DeclRefExpr>(load->getSubExpr()->IgnoreParens()))
    return false;
  if (isa<LambdaExpr, BlockExpr>(statement))
    return true;
  if (const auto *captured = dyn_cast<CapturedStmt>(statement))
    return may_change(captured->getCapturedStmt(), variable);
  const auto *directive = dyn_cast<OMPExecutableDirective>(statement);
  if (!directive)
    return any_of(statement->children());
  for (const OMPClause *clause : directive->clauses())
    if (clause && !leaves_variables(*clause) && any_of(clause->children()))
      return true;
  return directive->hasAssociatedStmt() &&
         may_change(directive->getAssociatedStmt(), variable);
}

/// The clause with those of its variables that need a copy; null if none does.
OMPClause *needed_copies(OMPFirstprivateClause &clause, const Stmt &region,
                         const ASTContext &context) {
  llvm::SmallVector<Expr *> variables, copies, initial;
  auto copy = clause.private_copies().begin();
  auto value = clause.inits().begin();
  for (Expr *item : clause.varlist()) {
    const auto *reference = dyn_cast<DeclRefExpr>(item->IgnoreParenImpCasts());
    const auto *variable =
        reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    if (!variable || may_change(&region, *variable)) {
      variables.push_back(item);
      copies.push_back(*copy);
      initial.push_back(*value);
    }
    ++copy;
    ++value;
  }
  if (variables.empty())
    return nullptr;
  return OMPFirstprivateClause::Create(
      context, clause.getBeginLoc(), clause.getLParenLoc(), clause.getEndLoc(),
      variables, copies, initial, clause.getPreInitStmt());
}

/// The scope construct with the region's statements and private variables.
Stmt *scope_for(OMPExecutableDirective &target, const ASTContext &context) {
  CapturedStmt *region = target.getInnermostCapturedStmt();
  const SourceLocation begin = target.getBeginLoc(), end = target.getEndLoc();
  llvm::SmallVector<OMPClause *> clauses = {new (context) OMPNowaitClause(
      /*Cond=*/nullptr, begin, SourceLocation(), end)};
  for (OMPClause *clause : target.clauses())
    if (auto *copied = dyn_cast_or_null<OMPFirstprivateClause>(clause)) {
      if (OMPClause *needed =
              needed_copies(*copied, *region->getCapturedStmt(), context))
        clauses.push_back(needed);
    } else if (isa_and_nonnull<OMPPrivateClause>(clause)) {
      clauses.push_back(clause);
    }
  return OMPScopeDirective::Create(context, begin, end, clauses, region);
}

class Visitor : public DynamicRecursiveASTVisitor {
public:
  explicit Visitor(ASTContext &context) : context(context) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitStmt(Stmt *parent) override {
    for (Stmt *&child : parent->children())
      if (auto *target = dyn_cast_or_null<OMPExecutableDirective>(child);
          target && is_region(*target))
        child = scope_for(*target, context);
    // Where a region is all of a captured statement, two places name it.
    if (auto *captured = dyn_cast<CapturedStmt>(parent))
      captured->getCapturedDecl()->setBody(captured->getCapturedStmt());
    return true;
  }

private:
  /// Is it a target region that drop_target has left as it is?
  static bool is_region(const OMPExecutableDirective &directive) {
    const OpenMPDirectiveKind kind = directive.getDirectiveKind();
    return isOpenMPTargetExecutionDirective(kind) &&
           !isOpenMPParallelDirective(kind) && directive.hasAssociatedStmt() &&
           !cast<CapturedStmt>(directive.getAssociatedStmt())
                ->getCapturedDecl()
                ->isDependentContext();
  }

  ASTContext &context;
};

} // namespace

void gpuexec::copy_scalars(Decl &declaration, ASTContext &context) {
  Visitor(context).TraverseDecl(&declaration);
}
