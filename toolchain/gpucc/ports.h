//===-- toolchain/gpucc/ports.h - Libraries of gpucc-port -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc-port (toolchain/port) installs libraries into a folder for each
// processor. gpucc looks there after its own folders.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_PORTS_H
#define GPUEXEC_GPUCC_PORTS_H

#include "toolchain/gpucc/machine.h"
#include <string>

namespace gpuexec {

/// The folder of gpucc-port's libraries for one processor.
struct Ports {
  std::string folder;  ///< it has include/ and lib/; "": there is none
  std::string problem; ///< why the folder is not used, or ""

  bool usable() const { return !folder.empty() && problem.empty(); }
};

/// The folder for the processor `arch`: $GPUEXEC_PORTS/ARCH, or
/// gpuexec/ports/ARCH in $XDG_DATA_HOME or ~/.local/share. It need not exist.
Ports find_ports(const std::string &arch, const Machine &machine);

/// gpucc-port's name for the port that has the library of -lLIBRARY, or "".
/// `root`: PREFIX/lib/gpuexec.
std::string port_of(const std::string &library, const std::string &root,
                    const Machine &machine);

} // namespace gpuexec

#endif
