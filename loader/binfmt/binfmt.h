//===-- loader/binfmt/binfmt.h - GPU programs run by name -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linux starts a file whose first bytes are registered with binfmt_misc by the
// interpreter that was registered for them: with gpuexec as that, `./hello`
// runs a GPU program. The kernel forgets it at the next boot; binfmt.d(5) files
// repeat it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_BINFMT_BINFMT_H
#define GPUEXEC_LOADER_BINFMT_BINFMT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace gpuexec::binfmt {

/// Registers this executable for all kinds of GPU programs, in place of another
/// gpuexec, and says so on `os`. Errors: Failure, with what to do.
llvm::Error register_programs(llvm::raw_ostream &os);

/// Undoes it. Success where nothing is registered.
llvm::Error unregister_programs(llvm::raw_ostream &os);

/// Prints the lines of a file for binfmt.d(5). Errors: Failure, where the
/// executable's path does not fit into one.
llvm::Error print_registration(llvm::raw_ostream &os);

/// The program that the kernel starts for AMD GPU programs; nothing where none
/// is registered.
std::optional<std::string> registered_interpreter();

} // namespace gpuexec::binfmt

#endif
