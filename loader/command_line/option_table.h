//===-- loader/command_line/option_table.h - Table of options ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of reading options that gpuexec and gpuexec-info share: messages and
// --help look the same in both. Each has its own table (options.td), which
// LLVM's OptTable expands.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_OPTION_TABLE_H
#define GPUEXEC_LOADER_COMMAND_LINE_OPTION_TABLE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace gpuexec {

/// Parses the option at `index` and moves `index` past it and its value. Fails
/// for an option that `command` does not have or that lacks its value; the
/// error names the argument.
llvm::Expected<std::unique_ptr<llvm::opt::Arg>>
next_option(const llvm::opt::OptTable &table,
            const llvm::opt::InputArgList &arguments, unsigned &index,
            llvm::StringRef command);

/// Reads the words of a command that has only options: `apply` gets each.
/// Errors name the command and the word.
llvm::Error
parse_switches(const llvm::opt::OptTable &table,
               llvm::ArrayRef<const char *> argv, llvm::StringRef command,
               llvm::function_ref<void(const llvm::opt::Arg &)> apply);

/// The error of an option whose value is not what it must be: "--threads: 'x'
/// is not EXPECTED".
llvm::Error bad_value(const llvm::opt::Arg &arg, llvm::StringRef expected);

/// The option's name: "--threads" for --threads=8 and for -threads 8.
llvm::StringRef name_of(const llvm::opt::Arg &arg);

/// A flag of options in a table (option_kinds.td): -h lists them.
// NOLINTNEXTLINE(readability-identifier-naming): as TableGen writes it
inline constexpr unsigned Basic = 1 << 4;

/// Prints all options that have a help text, in lines of at most 80 columns.
/// `groups`: titles of the option groups, in the order to print them. Within a
/// group basic options come first.
void print_options(llvm::raw_ostream &os, const llvm::opt::OptTable &table,
                   llvm::ArrayRef<llvm::StringRef> groups);

/// Prints one line for each basic option: the first sentence of its help text.
void print_basic_options(llvm::raw_ostream &os,
                         const llvm::opt::OptTable &table,
                         llvm::ArrayRef<llvm::StringRef> groups);

} // namespace gpuexec

#endif
