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
  std::string arch;    ///< the processor
  std::string root;    ///< PREFIX/lib/gpuexec
  std::string sysroot; ///< the folder of gpucc's own libraries
  Ports ports;         ///< the folder of gpucc-port's libraries
};

/// An error for the first library that clang's arguments name by -l and that no
/// folder has, in one line that says what to do, or "". Returns "", too, where
/// the arguments have options by which the linker may know other folders: then
/// the linker reports what is missing.
std::string check_libraries(const std::vector<std::string> &arguments,
                            const LibraryFolders &folders,
                            const Machine &machine);

} // namespace gpuexec

#endif
