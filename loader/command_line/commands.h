//===-- loader/command_line/commands.h - gpuexec's commands -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpuexec COMMAND ...`: the first word names a command of commands.def, or it
// is an image or an option of the command `run`. A file with a command's name
// is run as ./NAME.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_COMMANDS_H
#define GPUEXEC_LOADER_COMMAND_LINE_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuexec {

enum class Command {
#define COMMAND(NAME, ARGUMENTS, SUMMARY) NAME,
#include "loader/command_line/commands.def"
};

/// The command of this name; nothing when there is none.
std::optional<Command> find_command(llvm::StringRef name);

/// "gpuexec NAME ARGUMENTS", as usage lines have it.
std::string usage_of(Command command);

/// What it does, in one line.
llvm::StringRef summary_of(Command command);

/// Prints the commands, one line each.
void print_commands(llvm::raw_ostream &os);

/// Prints what `gpuexec COMMAND --help` prints.
void print_command_help(llvm::raw_ostream &os, Command command,
                        const llvm::opt::OptTable &table,
                        llvm::ArrayRef<llvm::StringRef> groups);

/// Lines "name\tsummary" of the commands that begin with `prefix`.
std::vector<std::string> complete_command(llvm::StringRef prefix);

/// What the user may have meant by a word in the place of the image that is no
/// file, as the end of an error message: "did you mean 'gpuexec serve'?", or
/// the names of all commands.
std::string advice_for(llvm::StringRef word);

} // namespace gpuexec

#endif
