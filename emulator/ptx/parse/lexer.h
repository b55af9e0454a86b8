//===-- emulator/ptx/parse/lexer.h - Words of a PTX text -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_PARSE_LEXER_H
#define GPUEXEC_EMULATOR_PTX_PARSE_LEXER_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace gpuexec::ptx {

/// A number of the text.
struct Number {
  enum class Kind : uint8_t {
    integer,
    real32, ///< 0f3F800000: `value` has the bits
    real64  ///< 0d..., or decimal: `value` has the bits
  } kind = Kind::integer;
  uint64_t value = 0;
};

/// A place in the text. Every function first skips white space, comments and
/// lines of a preprocessor.
class Lexer {
public:
  explicit Lexer(llvm::StringRef text)
      : position(text.begin()), end(text.end()), line_start(text.begin()) {}

  /// The next character; 0 at the end (and for a zero of the text).
  char peek() {
    skip_space();
    return position == end ? 0 : *position;
  }
  bool at_end() {
    skip_space();
    return position == end;
  }
  /// Takes the character if it is the next one.
  bool accept(char c) {
    if (peek() != c || position == end)
      return false;
    ++position;
    return true;
  }
  /// Takes two characters that follow each other, such as "<<".
  bool accept(char first, char second);
  /// Whether the next character is this and the one behind it is not.
  bool is_single(char c) {
    return peek() == c && (end - position < 2 || position[1] != c);
  }
  /// Whether a word follows the next character.
  bool is_before_word();
  /// A name: letters, digits, _, $ and %, no digit first. Empty if there is
  /// none.
  llvm::StringRef word();
  /// `.name` without its dot, with parts such as ::cta. Empty if there is none.
  llvm::StringRef dot_word();
  /// As dot_word(), without skipping space: the next modifier of an opcode.
  llvm::StringRef modifier();
  /// False if there is no number or it is none that PTX knows.
  bool number(Number &number);
  /// The text between quotes. False if there is none.
  bool string(llvm::StringRef &text);
  /// Moves behind the next `}` that closes as many braces as are open. False
  /// if there is none.
  bool skip_braces();
  /// Moves to the end of this line.
  void skip_line();

  uint32_t line() const { return current_line; }
  /// What comes next, short, for a message.
  llvm::StringRef excerpt();

private:
  void skip_space();
  bool skip_comment();

  const char *position, *end;
  const char *line_start; ///< behind the last newline
  uint32_t current_line = 1;
};

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_PARSE_LEXER_H
