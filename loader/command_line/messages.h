//===-- loader/command_line/messages.h - Errors and warnings ----*- C++ -*-===//
// One line on standard error: "COMMAND: error: TEXT". At a terminal the word
// "error" or "warning" has a colour.
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

/// Decides it for llvm::errs(), and with it for the functions below.
void colour_messages(Colour when);

void print_error(llvm::StringRef command, const llvm::Twine &text);
void print_warning(llvm::StringRef command, const llvm::Twine &text);

} // namespace gpuexec

#endif
