//===-- loader/binfmt/binfmt.h - GPU programs run by name -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linux starts a file whose first bytes are registered with binfmt_misc by the
// interpreter that was registered for them: with gpuexec as the interpreter,
// `./hello` runs a GPU program. The kernel forgets it at the next boot;
// binfmt.d(5) files repeat it.
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

/// Removes all registrations, and says so on `os`. Success when nothing is
/// registered.
llvm::Error unregister_programs(llvm::raw_ostream &os);

/// Prints the lines of a file for binfmt.d(5), with the path of this
/// executable. Error: Failure when the kernel takes no such path.
llvm::Error print_registration(llvm::raw_ostream &os);

/// Why this executable must not be registered: another user can write to it or
/// to one of its folders, and would then choose what everybody runs who starts
/// a GPU program. "" when it may be registered.
std::string distrust_interpreter();

/// The program that the kernel starts for AMD GPU programs; empty when none is
/// registered.
std::optional<std::string> registered_interpreter();

} // namespace gpuexec::binfmt

#endif
