//===-- loader/image/ptx_reader.h - Words of PTX into declarators ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parser of PTX builds on: expecting and skipping words, and reading
// lists of variables and parameters with their sizes. Every error names the
// line.

#ifndef GPUEXEC_LOADER_IMAGE_PTX_READER_H
#define GPUEXEC_LOADER_IMAGE_PTX_READER_H

#include "loader/image/contents.h"
#include "loader/image/ptx_lexer.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace gpuexec::parsing {

/// No variable of a GPU program comes near this; sums of a few such sizes
/// cannot overflow.
constexpr uint64_t MAX_SIZE = uint64_t(1) << 40;

struct PtxVariable {
  llvm::StringRef name;
  uint64_t size = 0, alignment = 1; ///< bytes; size 0 = not told
};

class PtxReader {
public:
  PtxReader(llvm::StringRef text, llvm::StringRef label)
      : lexer(text), label(label) {}

protected:
  // Each function leaves the first token that it has not used.
  const PtxToken &token() const { return lexer.token(); }
  /// Steps over the token if it is `text`.
  bool accept(llvm::StringRef text) {
    if (!token().is(text))
      return false;
    lexer.advance();
    return true;
  }
  /// As accept(), but another token is an error.
  llvm::Error expect(llvm::StringRef text);
  /// The error that the token is not what `expected` names.
  llvm::Error unexpected(const llvm::Twine &expected);
  /// Read one token; `what` names it in the error.
  llvm::Expected<llvm::StringRef> word(const llvm::Twine &what);
  llvm::Expected<uint64_t> number(const llvm::Twine &what);
  /// Step over the rest of the line; all tokens up to `end` and `end` itself; a
  /// block in braces.
  void skip_line();
  llvm::Error skip_past(llvm::StringRef end);
  llvm::Error skip_block();

  /// Reads the declarators of one statement and calls `visit` for each.
  llvm::Error
  variables(llvm::function_ref<llvm::Error(const PtxVariable &)> visit);
  /// Appends to `arguments`, if not null; `size` grows by what they take.
  llvm::Error parameters(std::vector<Argument> *arguments, uint64_t &size);

  PtxLexer lexer;
  llvm::StringRef label;

private:
  llvm::Expected<PtxVariable> declarator(uint64_t element, uint64_t alignment);
  llvm::Error count_elements(uint64_t &count);
};

} // namespace gpuexec::parsing

#endif
