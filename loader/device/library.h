//===-- loader/device/library.h - A library opened at run time -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drivers are opened when an image needs them and never linked, so that one
// binary runs everywhere. A library stays open until the process ends: drivers
// leave threads behind that run its code.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_LIBRARY_H
#define GPUEXEC_LOADER_DEVICE_LIBRARY_H

#include "llvm/Support/Error.h"
#include <string>

namespace gpuexec {

/// The folders in which the dynamic linker looks for libraries of the system,
/// and the file of its cache.
std::vector<std::string> system_libraries();

class Library {
public:
  /// `name` is a path, or a bare name that the dynamic linker looks for.
  /// Errors: Failure, also when another user can replace the file at that path.
  static llvm::Expected<Library> open(const std::string &name);

  /// Null when the library has no such function.
  template <typename Function> Function symbol(const char *name) const {
    return reinterpret_cast<Function>(address_of(name));
  }
  const std::string &name() const { return path; }

private:
  Library(void *handle, std::string path)
      : handle(handle), path(std::move(path)) {}
  void *address_of(const char *name) const;
  void *handle;
  std::string path;
};

} // namespace gpuexec

#endif
