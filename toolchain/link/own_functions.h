//===-- toolchain/link/own_functions.h - Defined twice ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program may define functions that the C library has, too. On the host its
// own are used then, and the library goes on to call its own by other names.
// Here a file of the library can hold such a function beside others that the
// program needs: ld.lld finds both definitions and gives up.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TOOLCHAIN_LINK_OWN_FUNCTIONS_H
#define GPUEXEC_TOOLCHAIN_LINK_OWN_FUNCTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <set>
#include <string>

namespace gpuexec {

/// Symbols that are defined twice, by the archive that has the second
/// definition.
using DefinedTwice = std::map<std::string, std::set<std::string>>;

/// Reads ld.lld's messages. Returns the symbols that a program and an archive
/// in `folder` define; nothing when the messages have any other error.
DefinedTwice find_defined_twice(llvm::StringRef messages,
                                llvm::StringRef folder);

/// Copies an archive of bitcode to `copy`. Its definitions of `symbols` get
/// other names, by which its files use them; the old names stay, as weak
/// aliases. Errors: files that cannot be read or written.
llvm::Error yield_symbols(llvm::StringRef archive, llvm::StringRef copy,
                          const std::set<std::string> &symbols);

} // namespace gpuexec

#endif
