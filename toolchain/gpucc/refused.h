//===-- toolchain/gpucc/refused.h - Options that are refused ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc refuses options that clang accepts but that would do nothing, because
// they need a library that GPUs lack or because link-time optimisation drops
// their effect. Otherwise a build would look as if they worked.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_REFUSED_H
#define GPUEXEC_GPUCC_REFUSED_H

#include <string>
#include <vector>

namespace gpuexec {

/// An error in one line about the first of clang's arguments that would do
/// nothing: the option, why, and what to do instead. "" when there is none. An
/// option that a later -fno-... switches off does not count.
std::string refused_option(const std::vector<std::string> &arguments);

} // namespace gpuexec

#endif
