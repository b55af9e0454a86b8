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
/// gpuexec, and says so on `os`. Errors: Failure, with what to do; among them
/// an executable that others than root and this user can replace.
llvm::Error register_programs(llvm::raw_ostream &os);

/// Undoes it. Success where nothing is registered.
llvm::Error unregister_programs(llvm::raw_ostream &os);

/// Prints the lines of a file for binfmt.d(5), where another gpuexec's path may
/// be put in. Errors: Failure, where this one's does not fit into a line.
llvm::Error print_registration(llvm::raw_ostream &os);

/// Why this executable must not be what every user starts by a program's name:
/// who can write to it or to one of its folders would act for all of them. ""
/// when it may.
std::string distrust_interpreter();

/// The program that the kernel starts for AMD GPU programs; nothing where none
/// is registered.
std::optional<std::string> registered_interpreter();

} // namespace gpuexec::binfmt

#endif
