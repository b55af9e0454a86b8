//===-- toolchain/gpucc/ptx_link.h - Undefined symbols of PTX ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a link to a cubin nvlink or ptxas reports undefined symbols. A link to PTX
// runs neither, so gpucc checks the symbols itself. Without the check the error
// would come from the driver when the program is loaded, and a configure script
// would believe that every function exists.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_PTX_LINK_H
#define GPUEXEC_GPUCC_PTX_LINK_H

#include <istream>
#include <string>
#include <vector>

namespace gpuexec {

/// The functions and variables that PTX text declares as external, in the order
/// of the text, without those that the driver defines.
std::vector<std::string> undefined_symbols(std::istream &ptx);

/// Prints an error for each undefined symbol of the PTX file and removes the
/// file when there are any. Returns gpucc's exit status.
int check_linked_ptx(const std::string &path);

} // namespace gpuexec

#endif
