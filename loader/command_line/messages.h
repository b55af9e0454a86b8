//===-- loader/command_line/messages.h - What is said to people -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing else of loader/ writes to llvm::outs() or llvm::errs(), but for help,
// JSON and CSV (test/cli/terminal.test): names in a text may come from images,
// recordings or other machines, and are made printable here.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_MESSAGES_H
#define GPUEXEC_LOADER_COMMAND_LINE_MESSAGES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace gpuexec {

/// When messages are coloured.
enum class Colour {
  automatic, ///< on a terminal, unless NO_COLOR is set (no-color.org)
  always,
  never,
};

/// Sets when messages are coloured, for llvm::errs() and the functions below.
void colour_messages(Colour when);

/// One line on standard error: "COMMAND: error: TEXT". At a terminal the word
/// "error" or "warning" has a colour.
void print_error(llvm::StringRef command, const llvm::Twine &text);
void print_warning(llvm::StringRef command, const llvm::Twine &text);

/// Print lines, made printable, on standard output or standard error.
void say(const llvm::Twine &text);
void say_error(const llvm::Twine &text);

/// At a terminal shows a line on standard error until the next call replaces
/// it; an empty line removes it. Elsewhere does nothing.
void show_progress(const llvm::Twine &line);

} // namespace gpuexec

#endif
