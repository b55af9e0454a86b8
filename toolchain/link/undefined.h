//===-- toolchain/link/undefined.h - Who needs what is missing --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_LINK_UNDEFINED_H
#define GPUEXEC_TOOLCHAIN_LINK_UNDEFINED_H

#include "toolchain/link/command_line.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuexec {

/// Returns ld.lld's messages about the last link, with errors about undefined
/// symbols rewritten: they name the user's files and functions instead of
/// members of the temporary archive. Each undefined symbol is named once, with
/// functions that refer to it, and their lines if -g tells them.
std::string name_references(llvm::StringRef messages,
                            const LinkCommand &command);

} // namespace gpuexec

#endif
