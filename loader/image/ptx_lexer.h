//===-- loader/image/ptx_lexer.h - PTX text into words ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX ISA, "Source Format" and "Tokens", as far as declarations need them:
// words, directives (`.entry`, each dotted suffix on its own), numbers, strings
// and single characters. Comments and blanks vanish; lines are counted, because
// a few directives (`.file`, `.loc`) end with their line.

#ifndef GPUEXEC_LOADER_IMAGE_PTX_LEXER_H
#define GPUEXEC_LOADER_IMAGE_PTX_LEXER_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace gpuexec::parsing {

struct PtxToken {
  enum class Kind {
    word,
    directive,
    number,
    string,
    character,
    module_end, ///< a zero byte, which ends one of several modules
    end,
    bad
  };
  Kind kind = Kind::end;
  /// A string without its quotes; of a bad token what is wrong.
  llvm::StringRef text;
  unsigned line = 1;
  bool is(llvm::StringRef expected) const {
    return kind != Kind::string && text == expected;
  }
  /// Nothing can be read behind it.
  bool is_last() const { return kind == Kind::end || kind == Kind::bad; }
};

class PtxLexer {
public:
  explicit PtxLexer(llvm::StringRef text) : left(text) { advance(); }
  const PtxToken &token() const { return current; }
  /// Reads the next token; does nothing after a bad one.
  void advance();

private:
  /// False at a comment without an end.
  bool skip_blanks();
  llvm::StringRef left;
  unsigned line = 1;
  PtxToken current;
};

} // namespace gpuexec::parsing

#endif
