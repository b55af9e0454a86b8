//===-- toolchain/frontend/missing_headers.h - Why not --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_MISSING_HEADERS_H
#define GPUEXEC_TOOLCHAIN_MISSING_HEADERS_H

#include "clang/Lex/Preprocessor.h"

namespace gpuexec {

/// From here on the error of a header that a GPU program cannot have is
/// followed by a note that says why, and what to do.
void explain_missing_headers(clang::Preprocessor &preprocessor);

} // namespace gpuexec

#endif
