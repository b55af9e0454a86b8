//===-- loader/serve/serve.h - gpuexec serve --------------------*- C++ -*-===//
#ifndef GPUEXEC_LOADER_SERVE_SERVE_H
#define GPUEXEC_LOADER_SERVE_SERVE_H

#include "llvm/ADT/ArrayRef.h"

namespace gpuexec::serve {

/// `gpuexec serve`: `argv` is what follows. Messages go to standard error. The
/// status to exit with; standard output is not flushed.
int run(llvm::ArrayRef<const char *> argv);

} // namespace gpuexec::serve

#endif
