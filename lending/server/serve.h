//===-- lending/server/serve.h - gpuexec serve ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LENDING_SERVER_SERVE_H
#define GPUEXEC_LENDING_SERVER_SERVE_H

#include "lending/server/settings.h"
#include "llvm/Support/Error.h"

namespace gpuexec::serve {

/// Does what `gpuexec serve` was told. Standard output is not flushed. Errors:
/// Failure. A server in the background leaves its
/// errors to the process that has started it.
llvm::Error run(const Settings &settings);

} // namespace gpuexec::serve

#endif
