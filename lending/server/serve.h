//===-- lending/server/serve.h - gpuexec serve ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LENDING_SERVER_SERVE_H
#define GPUEXEC_LENDING_SERVER_SERVE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace gpuexec::serve {

/// Runs `gpuexec serve`; `argv`: the arguments behind `serve`. Standard output
/// is not flushed. Errors: Failure. A server in the background leaves its
/// errors to the process that has started it.
llvm::Error run(llvm::ArrayRef<const char *> argv);

} // namespace gpuexec::serve

#endif
