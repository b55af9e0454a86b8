//===-- loader/command_line/messages.cpp - See messages.h -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/command_line/messages.h"
#include "support/printable.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <unistd.h>

namespace gpuexec {
namespace {

bool is_set(const char *variable) {
  const char *value = std::getenv(variable);
  return value && *value;
}

/// Whether standard error is a terminal with colours and NO_COLOR is not set.
bool wants_colours() {
  const char *terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) && !is_set("NO_COLOR") && terminal &&
         llvm::StringRef(terminal) != "dumb";
}

/// llvm::errs(), whose own switch says whether messages have colours. (LLVM has
/// it on before anybody chooses.)
llvm::raw_ostream &messages() {
  static const bool decided = [] {
    llvm::errs().enable_colors(wants_colours());
    return true;
  }();
  (void)decided;
  return llvm::errs();
}

void print(llvm::StringRef command, llvm::StringRef kind,
           llvm::raw_ostream::Colors colour, const llvm::Twine &text) {
  llvm::raw_ostream &os = messages();
  os << command << ": ";
  os.changeColor(colour, /*Bold=*/true) << kind << ":";
  os.resetColor() << " " << printable(text.str()) << "\n";
}

} // namespace

void colour_messages(Colour when) {
  messages().enable_colors(when == Colour::always ||
                           (when == Colour::automatic && wants_colours()));
}

void print_error(llvm::StringRef command, const llvm::Twine &text) {
  print(command, "error", llvm::raw_ostream::RED, text);
}

void print_warning(llvm::StringRef command, const llvm::Twine &text) {
  print(command, "warning", llvm::raw_ostream::MAGENTA, text);
}

void say(const llvm::Twine &text) {
  llvm::outs() << printable_lines(text.str());
}

void say_error(const llvm::Twine &text) {
  llvm::errs() << printable_lines(text.str());
}

void show_progress(const llvm::Twine &line) {
  if (::isatty(STDERR_FILENO))
    llvm::errs() << "\r\033[K" << printable_lines(line.str());
}

} // namespace gpuexec
