//===-- toolchain/frontend/wrap_news.cpp - new in conditions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `condition ? new T(value) : nullptr`: if the constructor throws, the memory
// must be freed, but only if it was allocated. clang 22 keeps what it needs for
// that in a variable, and takes the variable's address for the instruction that
// makes it. On AMD a conversion stands between them, and clang crashes. So it
// does at `condition ? value : throw T(other)`, for the exception's memory. A
// statement inside parentheses ends the condition for clang: it frees the
// memory there, as it does elsewhere.
//===----------------------------------------------------------------------===//
#include "wrap_news.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

namespace {

class Visitor : public clang::DynamicRecursiveASTVisitor {
public:
  explicit Visitor(clang::ASTContext &context) : context(context) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitAbstractConditionalOperator(
      clang::AbstractConditionalOperator *conditional) override {
    wrap_in(*conditional);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *both) override {
    if (both->isLogicalOp())
      wrap_in(*both);
    return true;
  }

private:
  void wrap_in(clang::Stmt &parent) {
    for (clang::Stmt *&child : parent.children()) {
      if (!child || llvm::isa<clang::StmtExpr, clang::LambdaExpr>(child))
        continue;
      wrap_in(*child);
      if (auto *thrown = llvm::dyn_cast<clang::CXXThrowExpr>(child)) {
        if (thrown->getSubExpr() && !thrown->getSubExpr()->isTypeDependent())
          child = thrown_for(*thrown, llvm::cast<clang::Expr>(parent));
        continue;
      }
      auto *made = llvm::dyn_cast<clang::CXXNewExpr>(child);
      if (made && !made->isTypeDependent() && made->getOperatorDelete())
        child = wrapped(*made);
    }
  }

  /// clang looks for a value of the conditional's type here, too, or for a
  /// variable: one that is never reached.
  clang::Expr *thrown_for(clang::CXXThrowExpr &thrown,
                          const clang::Expr &conditional) const {
    clang::Expr *statement = wrapped(thrown);
    const clang::QualType type = conditional.getType();
    if (type->isVoidType())
      return statement;
    const bool is_value = conditional.isPRValue();
    const clang::SourceLocation place = thrown.getBeginLoc();
    clang::Expr *unreached = new (context) clang::ImplicitValueInitExpr(
        is_value ? type : context.getPointerType(type));
    if (!is_value)
      unreached = clang::UnaryOperator::Create(
          context, unreached, clang::UO_Deref, type, clang::VK_LValue,
          clang::OK_Ordinary, place, false, clang::FPOptionsOverride());
    return clang::BinaryOperator::Create(
        context, statement, unreached, clang::BO_Comma, type,
        unreached->getValueKind(), clang::OK_Ordinary, place,
        clang::FPOptionsOverride());
  }

  clang::StmtExpr *wrapped(clang::Expr &made) const {
    clang::Stmt *statement = &made;
    auto *block = clang::CompoundStmt::Create(
        context, statement, clang::FPOptionsOverride(), made.getBeginLoc(),
        made.getEndLoc());
    return new (context)
        clang::StmtExpr(block, made.getType(), made.getBeginLoc(),
                        made.getEndLoc(), /*TemplateDepth=*/0);
  }

  clang::ASTContext &context;

public:
};

} // namespace

void gpuexec::wrap_news(clang::Decl &declaration, clang::ASTContext &context) {
  Visitor(context).TraverseDecl(&declaration);
}
