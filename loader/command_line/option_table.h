//===-- loader/command_line/option_table.h - Options of a command -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command declares each of its options once, as a row: name, value, help
// text, what a shell offers for the value, and what the option sets. The
// parser, its messages, --help, -h and completion read the rows. Every option
// takes one or two dashes, and its value as `--name=VALUE` or `--name VALUE`.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_OPTION_TABLE_H
#define GPUEXEC_LOADER_COMMAND_LINE_OPTION_TABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpuexec {

/// An option as the user gave it.
struct Given {
  std::string name;            ///< "--threads"
  const char *value = nullptr; ///< null: it was given without one

  /// The error "--threads: 'x' is not EXPECTED".
  llvm::Error is_not(llvm::StringRef expected) const;
};

/// The base of what each command's options set.
struct CommandOptions {
  bool help = false;
};

/// Flags of an option.
inline constexpr unsigned BASIC = 1; ///< -h lists it
inline constexpr unsigned STOPS = 2; ///< words behind it are not looked at

struct OptionRow {
  /// "threads"; "verbose,v" has a short form, -v, and ",h" has no other; a
  /// number follows a short form at once, too (-j8). "": the row begins a
  /// group, whose title is `help`.
  llvm::StringLiteral name;
  /// "<n>". "[<n>]": the value may be left out. "": there is none.
  llvm::StringLiteral value;
  unsigned flags;
  /// Words that a shell offers for the value. Among them ":files", ":folders",
  /// ":programs" and ":devices" stand for all files, folders, programs or
  /// devices.
  llvm::StringLiteral offers;
  /// Begins with a sentence, up to the first ";" or ". ", that -h can print
  /// alone on its line. "": the option is hidden.
  llvm::StringLiteral help;
  llvm::Error (*set)(const Given &given, CommandOptions &options);
};

/// Rows of an OptionRow[]. `Options` is the type that they set, which is based
/// on CommandOptions. The last argument of OPTION sets what `given` says in
/// `to`, as an expression of type llvm::Error (option_values.h).
#define OPTION_GROUP(TITLE) {"", "", 0, "", TITLE, nullptr},
#define OPTION(NAME, VALUE, FLAGS, OFFERS, HELP, ...)                          \
  {NAME,                                                                       \
   VALUE,                                                                      \
   FLAGS,                                                                      \
   OFFERS,                                                                     \
   HELP,                                                                       \
   []([[maybe_unused]] const Given &given,                                     \
      CommandOptions &options) -> llvm::Error {                                \
     [[maybe_unused]] Options &to = static_cast<Options &>(options);           \
     return __VA_ARGS__;                                                       \
   }},

struct OptionTable {
  llvm::ArrayRef<OptionRow> rows;
  /// The command that has these options, for messages: "gpuexec serve".
  std::string command;
  /// What errors about values begin with: "serve: ", or nothing.
  std::string prefix = {};

  /// Reads options from the words up to the first that is no option ("--" and
  /// "-" are none), or up to one with the flag STOPS, and stores their values
  /// in `options`, whose type is that of the rows. Returns the number of words
  /// read. Errors: Failure that names the word.
  llvm::Expected<size_t> read(llvm::ArrayRef<const char *> words,
                              CommandOptions &options) const;
};

/// Prints all options that are not hidden, in lines of at most 80 columns.
/// Within a group basic options come first.
void print_options(llvm::raw_ostream &os, llvm::ArrayRef<OptionRow> rows);

/// Prints one line for each basic option: the first sentence of its help text.
void print_basic_options(llvm::raw_ostream &os, llvm::ArrayRef<OptionRow> rows);

/// Lines "--name\thelp" for all spellings of options that begin with `prefix`;
/// "--name=\thelp" for those that need a value.
std::vector<std::string> complete_option(llvm::ArrayRef<OptionRow> rows,
                                         llvm::StringRef prefix);

/// What OptionRow::offers has for the option's value; `name` with its dashes.
llvm::StringRef offers_of(llvm::ArrayRef<OptionRow> rows, llvm::StringRef name);

} // namespace gpuexec

#endif
