//===-- loader/ensemble/words.h - Command lines as text ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_ENSEMBLE_WORDS_H
#define GPUEXEC_LOADER_ENSEMBLE_WORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuexec::ensemble {

/// The words of a line, quoted as in a shell: '...', "..." and backslashes; a
/// `#` that begins a word begins a comment. Nothing else is special: `$` and
/// `*` stand for themselves. A line without a word has no command. Errors:
/// Failure that says which quote is not closed.
llvm::Expected<std::vector<std::string>> split_words(llvm::StringRef line);

/// The words as one line that a shell splits into them again. Control
/// characters become $'\n' and the like, so that the result is one line.
std::string quote_words(llvm::ArrayRef<std::string> words);

} // namespace gpuexec::ensemble

#endif
