//===-- loader/apps/serve/options.h - The command line of a server -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_APPS_SERVE_OPTIONS_H
#define GPUEXEC_LOADER_APPS_SERVE_OPTIONS_H

#include "lending/server/settings.h"
#include "llvm/Support/Error.h"

namespace gpuexec::serve {

/// Parses the words behind `gpuexec serve`. Errors are Failures that name the
/// argument.
llvm::Expected<Settings> parse_settings(llvm::ArrayRef<const char *> words);

} // namespace gpuexec::serve

#endif
