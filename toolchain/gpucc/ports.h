//===-- toolchain/gpucc/ports.h - Libraries of gpucc-port -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc-port (toolchain/port) installs libraries for one processor into one
// folder, where gpucc looks after its own.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_PORTS_H
#define GPUEXEC_GPUCC_PORTS_H

#include "toolchain/gpucc/machine.h"
#include <string>

namespace gpuexec {

struct Ports {
  std::string folder;  ///< with include/ and lib/; "": there is none
  std::string problem; ///< why it is not used, or ""

  bool usable() const { return !folder.empty() && problem.empty(); }
};

/// The folder of the libraries for a processor: GPUEXEC_PORTS/ARCH, or
/// gpuexec/ports/ARCH in the folder of the user's data. It need not exist.
Ports find_ports(const std::string &arch, const Machine &machine);

/// The name by which gpucc-port knows the library of -lLIBRARY, or "". `root`:
/// PREFIX/lib/gpuexec.
std::string port_of(const std::string &library, const std::string &root,
                    const Machine &machine);

} // namespace gpuexec

#endif
