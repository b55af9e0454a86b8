//===-- toolchain/link/undefined.h - Who needs what is missing --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_LINK_UNDEFINED_H
#define GPUEXEC_TOOLCHAIN_LINK_UNDEFINED_H

#include "toolchain/link/command_line.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuexec {

/// What ld.lld said of the last link, with the user's own files and functions
/// in the place of those of the temporary archive: each undefined symbol once,
/// with the functions that refer to it, and their lines where -g tells them.
/// Everything else stays as it is.
std::string name_references(llvm::StringRef messages,
                            const LinkCommand &command);

} // namespace gpuexec

#endif
