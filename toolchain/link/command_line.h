//===-- toolchain/link/command_line.h - What clang asks for -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_LINK_COMMAND_LINE_H
#define GPUEXEC_TOOLCHAIN_LINK_COMMAND_LINE_H

#include "toolchain/link/codegen.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuexec {

/// A command line of ld.lld.
struct LinkCommand {
  /// Why the linker does everything itself; "": its work is divided.
  std::string undivided;
  std::vector<std::string> arguments; ///< without argv[0] and -o FILE
  std::vector<bool> bitcode;          ///< arguments that are bitcode files
  std::string output = "a.out";
  bool verbose = false; ///< tell what is done
  CodeGenSettings settings;
  std::vector<std::string> llvm_options; ///< of -mllvm
};

/// Reads the arguments behind argv[0]; response files are expanded already.
/// Opens the files among them to see what they are.
LinkCommand parse_link_command(llvm::ArrayRef<const char *> arguments);

} // namespace gpuexec

#endif
