//===-- loader/command_line/completion.h - What a shell offers --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scripts for bash, zsh and fish ask the program itself, by a first word
// that no help lists. --complete=PREFIX: lines "WORD\tHELP" of what begins with
// PREFIX, options if that has a dash, else commands. --complete-value=NAME:
// what may be the value of the option NAME, or a word behind the options if
// NAME is empty: a line each, or ":files", ":folders", ":programs" for all of
// these.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_COMPLETION_H
#define GPUEXEC_LOADER_COMMAND_LINE_COMPLETION_H

#include "loader/command_line/option_table.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuexec {

/// Answers the word. False when it is none of these. `operands`: what may stand
/// behind the options, as OptionRow::offers. `print_commands` prints the lines
/// of the commands that begin with a prefix.
bool answer_shell(llvm::raw_ostream &os, llvm::StringRef word,
                  llvm::ArrayRef<OptionRow> rows, llvm::StringRef operands,
                  llvm::function_ref<void(llvm::StringRef)> print_commands);

} // namespace gpuexec

#endif
