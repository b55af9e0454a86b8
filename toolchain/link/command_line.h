//===-- toolchain/link/command_line.h - What clang asks for -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_LINK_COMMAND_LINE_H
#define GPUEXEC_TOOLCHAIN_LINK_COMMAND_LINE_H

#include "toolchain/link/codegen.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuexec {

/// A command line of ld.lld, as clang makes it.
struct LinkCommand {
  /// Why ld.lld has to do the whole link itself, often an option; "" if
  /// gpucc-ld makes the machine code.
  std::string undivided;
  std::vector<std::string> arguments; ///< without argv[0] and -o FILE
  std::vector<bool> bitcode;          ///< [i]: arguments[i] is a bitcode file
  std::string output = "a.out";
  bool verbose = false; ///< --verbose
  CodeGenSettings settings;
  std::vector<std::string> llvm_options; ///< values of -mllvm
};

/// Reads the arguments after argv[0], in which response files have been
/// expanded. Opens the files among them to find out their types.
LinkCommand parse_link_command(llvm::ArrayRef<const char *> arguments);

} // namespace gpuexec

#endif
