//===-- emulator/cuda/host/library.h - Kernels as host code ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_CUDA_HOST_LIBRARY_H
#define GPUEXEC_EMULATOR_CUDA_HOST_LIBRARY_H

#include "emulator/ptx/host/abi.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuexec::cuda::host {

using ptx::host::Kernel;
using ptx::host::Table;

/// A module's kernels for this machine's processor, loaded into the process.
class Library {
public:
  /// Loads what gpuexec-ptx --host has made. Null, with a reason in `problem`,
  /// when the system or the file does not permit it.
  static std::shared_ptr<Library> open(const std::string &bytes,
                                       std::string &problem);
  Library(const Library &) = delete;
  ~Library();

  /// The kernel of a name; null: the module has none.
  const Kernel *find(const std::string &name) const;
  const Table &table() const { return *content; }

  /// The addresses of the module's variables, in the order of the table. Who
  /// loads the library fills them in before the first launch.
  std::vector<void *> variables;

private:
  Library() = default;
  void *handle = nullptr;
  const Table *content = nullptr;
};

} // namespace gpuexec::cuda::host

#endif
