//===-- toolchain/gpucc/ptx_link.h - Undefined symbols of PTX ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A link to a cubin fails for an undefined symbol, in nvlink or ptxas. A link
// to PTX runs neither. Without this check the driver would fail when the
// program is loaded, and configure would find every function that it asks for.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_PTX_LINK_H
#define GPUEXEC_GPUCC_PTX_LINK_H

#include <istream>
#include <string>
#include <vector>

namespace gpuexec {

/// The functions and variables that PTX text declares and does not define, in
/// its order, without those that the driver itself defines.
std::vector<std::string> undefined_symbols(std::istream &ptx);

/// Prints an error for each undefined symbol of the PTX file and removes the
/// file when there are any. Returns gpucc's exit status.
int check_linked_ptx(const std::string &path);

} // namespace gpuexec

#endif
