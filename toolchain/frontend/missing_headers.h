//===-- toolchain/frontend/missing_headers.h - Why not ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_MISSING_HEADERS_H
#define GPUEXEC_TOOLCHAIN_MISSING_HEADERS_H

#include "clang/Lex/Preprocessor.h"

namespace gpuexec {

/// Makes clang print a note after the error about a missing header of
/// missing_headers.def, which says why it is missing and what to do.
void explain_missing_headers(clang::Preprocessor &preprocessor);

} // namespace gpuexec

#endif
