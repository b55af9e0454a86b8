//===-- toolchain/gpucc/refused.h - Options that would do nothing *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang accepts options whose effect needs a library that no GPU has, or that
// link-time optimisation loses. A build would look as if they worked.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_REFUSED_H
#define GPUEXEC_GPUCC_REFUSED_H

#include <string>
#include <vector>

namespace gpuexec {

/// The first of clang's arguments that would do nothing, why, and what to do
/// instead, in one line; "" when there is none. An option that a later
/// -fno-... takes back does not count.
std::string refused_option(const std::vector<std::string> &arguments);

} // namespace gpuexec

#endif
