//===-- loader/ensemble/words.cpp - See words.h ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/words.h"
#include "support/failure.h"
#include "support/shell_word.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuexec::ensemble {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Characters that a shell takes as they are.
bool is_plain(char c) {
  return llvm::isAlnum(c) || llvm::StringRef("_@%+=:,./-").contains(c);
}

bool is_control(char c) { return uint8_t(c) < ' ' || c == 0x7f; }

/// Reads one word; `text` begins with it and becomes what follows.
class WordReader {
public:
  explicit WordReader(llvm::StringRef &text) : text(text) {}

  llvm::Expected<std::string> read() {
    while (!text.empty() && !is_space(text.front())) {
      const char c = take();
      if (c == '\'' || c == '"') {
        if (llvm::Error error = read_quoted(c))
          return std::move(error);
      } else if (c != '\\') {
        word += c;
      } else if (text.empty()) {
        return failure(Reason::failed, "nothing follows the last backslash");
      } else {
        word += take();
      }
    }
    return std::move(word);
  }

private:
  char take() {
    const char c = text.front();
    text = text.drop_front();
    return c;
  }

  llvm::Error read_quoted(char quote) {
    while (!text.empty()) {
      const char c = take();
      if (c == quote)
        return llvm::Error::success();
      const bool escapes = quote == '"' && c == '\\' && !text.empty() &&
                           llvm::StringRef("\"\\$`").contains(text.front());
      word += escapes ? take() : c;
    }
    return failure(Reason::failed, "a quotation that {0} begins is not closed",
                   quote);
  }

  llvm::StringRef &text;
  std::string word;
};

std::string quote_word(llvm::StringRef word) {
  if (!word.empty() && llvm::all_of(word, is_plain))
    return word.str();
  if (llvm::none_of(word, is_control))
    return single_quoted(word);
  std::string quoted = "$'";
  for (char c : word)
    if (is_control(c))
      quoted += "\\x" + llvm::toHex(llvm::StringRef(&c, 1));
    else
      quoted += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  return quoted + "'";
}

} // namespace

llvm::Expected<std::vector<std::string>> split_words(llvm::StringRef line) {
  std::vector<std::string> words;
  for (;;) {
    line = line.drop_while(is_space);
    if (line.empty() || line.front() == '#')
      return words;
    llvm::Expected<std::string> word = WordReader(line).read();
    if (!word)
      return word.takeError();
    words.push_back(std::move(*word));
  }
}

std::string quote_words(llvm::ArrayRef<std::string> words) {
  std::string line;
  for (const std::string &word : words)
    line += (line.empty() ? "" : " ") + quote_word(word);
  return line;
}

} // namespace gpuexec::ensemble
