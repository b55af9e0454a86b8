//===-- emulator/cuda/libraries/version.h - Versions ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_CUDA_LIBRARIES_VERSION_H
#define GPUEXEC_EMULATOR_CUDA_LIBRARIES_VERSION_H

#include "toolchain/cuda/include/library_types.h"

namespace gpuexec::cuda_libraries {

struct Version {
  int major, minor, patch;

  /// The number for which a program asks by cu...GetProperty().
  int property(libraryPropertyType type) const {
    return type == MAJOR_VERSION   ? major
           : type == MINOR_VERSION ? minor
                                   : patch;
  }
};

} // namespace gpuexec::cuda_libraries

#endif
