//===-- loader/command_line/completion.h - What a shell offers --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scripts for bash, zsh and fish ask the program itself: they pass one of
// two hidden options as the first word. --complete=PREFIX: lines "WORD\tHELP"
// of what begins with PREFIX, options if that has a dash, else commands.
// --complete-value=NAME: what may be the value of the option NAME, or a word
// behind the options if NAME is empty: a line each, or ":files", ":folders",
// ":programs" for all files, folders or programs.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_COMPLETION_H
#define GPUEXEC_LOADER_COMMAND_LINE_COMPLETION_H

#include "loader/command_line/option_table.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuexec {

/// Prints the answer if `word` is one of these options. False when it is not.
/// `operands`: what may stand behind the options, as OptionRow::offers.
/// `print_commands` prints the lines of the commands that begin with a prefix.
bool answer_shell(llvm::raw_ostream &os, llvm::StringRef word,
                  llvm::ArrayRef<OptionRow> rows, llvm::StringRef operands,
                  llvm::function_ref<void(llvm::StringRef)> print_commands);

} // namespace gpuexec

#endif
