//===-- toolchain/frontend/wrap_news.h - new in conditions ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_WRAP_NEWS_H
#define GPUEXEC_TOOLCHAIN_WRAP_NEWS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace gpuexec {

/// Makes `({ new T(...); })` of each `new T(...)` that a condition decides on:
/// clang 22 crashes at it.
void wrap_news(clang::Decl &declaration, clang::ASTContext &context);

} // namespace gpuexec

#endif
