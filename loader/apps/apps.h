//===-- loader/apps/apps.h - gpuexec's commands -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpuexec COMMAND ...`: the first word names a command of commands.def, or it
// is an image or an option of the command `run`. A file with a command's name
// is run as ./NAME. A command is a row of commands.def and an App in a folder
// of its own; --help, advice and completion are made of the two.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_APPS_APPS_H
#define GPUEXEC_LOADER_APPS_APPS_H

#include "loader/command_line/option_table.h"
#include "loader/process/exit_result.h"
#include "loader/program/phases.h"
#include <memory>
#include <optional>

namespace gpuexec {

struct Command;

/// One start of gpuexec.
struct Call {
  const Personality personality;
  const Command *command; ///< null: none was named, which means `run`
  /// What follows; behind it is a null pointer.
  llvm::ArrayRef<char *> words;
  std::shared_ptr<Phases> phases;

  llvm::ArrayRef<const char *> arguments() const {
    return {words.data(), words.size()};
  }
  /// How a command ends that has failed with `error`, if there is one; the
  /// error is printed.
  ExitResult end(llvm::Error error) const;
  /// Reads the words of a command that takes options and nothing else. How the
  /// command ends when they are wrong or ask for help, which is printed.
  std::optional<ExitResult> read_switches(CommandOptions &options) const;
};

/// What a command does.
struct App {
  llvm::ArrayRef<OptionRow> options;
  ExitResult (*run)(const Call &call);
  llvm::StringLiteral more_usage = ""; ///< further lines of USAGE
  llvm::StringLiteral epilogue = "";   ///< what --help ends with
};

struct Command {
  llvm::StringLiteral name, arguments, operands, summary;
  const App &app;
  /// "gpuexec NAME ARGUMENTS", as usage lines have it.
  std::string usage() const;
};

/// The command of this name; null when there is none.
const Command *find_command(llvm::StringRef name);

/// Prints what `gpuexec COMMAND --help` prints.
void print_help(llvm::raw_ostream &os, const Command &command);

/// Prints the text of `gpuexec --help`, or of -h: the options that matter most,
/// one line each. `name`: what gpuexec was started as.
void print_help(llvm::raw_ostream &os, llvm::StringRef name);
void print_brief_help(llvm::raw_ostream &os, llvm::StringRef name);

/// Answers a shell that completes a command line (completion.h). False when the
/// words of the call do not ask for that.
bool print_completions(llvm::raw_ostream &os, const Call &call);

/// What the user may have meant by a word in the place of the image that is no
/// file, as the end of an error message: "did you mean 'gpuexec serve'?", or
/// the names of all commands.
std::string advice_for(llvm::StringRef word);

namespace apps {
#define COMMAND(NAME, ...) extern const App NAME;
#include "loader/apps/commands.def"
} // namespace apps

} // namespace gpuexec

#endif
