//===-- support/shell_word.h - Words for a shell ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SUPPORT_SHELL_WORD_H
#define GPUEXEC_SUPPORT_SHELL_WORD_H

#include <string>
#include <string_view>

namespace gpuexec {

/// The text in single quotes, which a shell takes for one word.
inline std::string single_quoted(std::string_view text) {
  std::string word = "'";
  for (char c : text)
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

} // namespace gpuexec

#endif
