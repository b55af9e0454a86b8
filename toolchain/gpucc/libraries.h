//===-- toolchain/gpucc/libraries.h - -lNAME is there -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_GPUCC_LIBRARIES_H
#define GPUEXEC_GPUCC_LIBRARIES_H

#include "toolchain/gpucc/machine.h"
#include "toolchain/gpucc/ports.h"
#include <string>
#include <vector>

namespace gpuexec {

/// Where libraries are looked for besides the folders of -L.
struct LibraryFolders {
  std::string arch;
  std::string root;    ///< PREFIX/lib/gpuexec
  std::string sysroot; ///< the folder of our own
  Ports ports;
};

/// What is wrong with the libraries that clang's arguments name by -l, in one
/// line that says what to do, or "". Where options for the linker alone may
/// name folders, the linker says so.
std::string check_libraries(const std::vector<std::string> &arguments,
                            const LibraryFolders &folders,
                            const Machine &machine);

} // namespace gpuexec

#endif
