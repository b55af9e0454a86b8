//===-- loader/image/ptx_lexer.cpp - PTX text into words ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/image/ptx_lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuexec::parsing {

static bool is_word(char c) {
  return isAlnum(c) || c == '_' || c == '$' || c == '%';
}

bool PtxLexer::skip_blanks() {
  while (!left.empty()) {
    if (isSpace(left.front())) {
      line += left.front() == '\n';
      left = left.drop_front();
    } else if (left.starts_with("//")) {
      left = left.drop_until([](char c) { return c == '\n'; });
    } else if (left.starts_with("/*")) {
      size_t end = left.find("*/", 2);
      if (end == StringRef::npos)
        return false;
      line += left.take_front(end).count('\n');
      left = left.drop_front(end + 2);
    } else {
      return true;
    }
  }
  return true;
}

void PtxLexer::advance() {
  using Kind = PtxToken::Kind;
  auto take = [&](Kind kind, StringRef text) {
    current = {kind, text, line};
    left = left.drop_front(text.size());
  };
  if (current.kind == Kind::bad)
    return; // stays at the first mistake
  if (!skip_blanks()) {
    current = {Kind::bad, "a comment without an end", line};
    return;
  }
  if (left.empty())
    return take(Kind::end, "");
  char first = left.front();
  if (first == '\0')
    return take(Kind::module_end, left.take_front(1));
  if (isDigit(first))
    return take(Kind::number,
                left.take_while([](char c) { return is_word(c) || c == '.'; }));
  if (is_word(first))
    return take(Kind::word, left.take_while(is_word));
  if (first == '.' && left.size() > 1 && is_word(left[1]))
    return take(
        Kind::directive,
        left.take_front(1 + left.drop_front().take_while(is_word).size()));
  if (first == '"') {
    size_t end = 1;
    while (end < left.size() && left[end] != '"' && left[end] != '\n')
      end += left[end] == '\\' ? 2 : 1;
    if (end >= left.size() || left[end] != '"') {
      current = {Kind::bad, "a string without an end", line};
      return;
    }
    current = {Kind::string, left.slice(1, end), line};
    left = left.drop_front(end + 1);
    return;
  }
  if (!isPrint(first)) {
    current = {Kind::bad, "a byte that is not text", line};
    return;
  }
  take(Kind::character, left.take_front(1));
}

} // namespace gpuexec::parsing
