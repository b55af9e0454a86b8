//===-- emulator/cuda/driver/library.h - Libraries and kernels --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuLibraryLoadData() makes: an image that belongs to no context. Each
// context that uses it gets a module of its own. Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_LIBRARY_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_LIBRARY_H

#include "emulator/cuda/driver/context.h"

#include <map>

namespace gpuexec::cuda {

class Library;

/// A kernel of a library, whose handle programs also use as a function's.
struct LibraryKernel {
  Library *library = nullptr; ///< lives longer
  std::string name;
};

class Library {
public:
  Library(CodeSettings settings, Source source)
      : settings(std::move(settings)), source(std::move(source)) {}

  /// The module in the context; made and loaded when it is asked for first.
  /// `log`: the reason of an error.
  CUresult module(Context &context, std::shared_ptr<Module> &module,
                  std::string &log);
  /// The kernel of that name; the same object each time.
  CUresult kernel(Context &context, const std::string &name,
                  std::shared_ptr<LibraryKernel> &kernel);
  /// Takes the modules, of which none is made any more.
  std::vector<std::shared_ptr<Module>> take_modules();

private:
  const CodeSettings settings;
  const Source source;
  std::mutex mutex;                                    // guards what follows
  std::map<uint64_t, std::shared_ptr<Module>> modules; ///< by Context::id
  std::map<std::string, std::shared_ptr<LibraryKernel>> kernels;
};

} // namespace gpuexec::cuda

#endif
