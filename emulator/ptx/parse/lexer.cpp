//===-- emulator/ptx/parse/lexer.cpp - See lexer.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/parse/lexer.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstring>

using namespace llvm;

namespace gpuexec::ptx {

namespace {

enum : uint8_t { FIRST = 1, LATER = 2, SPACE = 4 };

/// What a character may be: the first of a word, a later one, or space.
constexpr std::array<uint8_t, 256> CLASSES = [] {
  std::array<uint8_t, 256> classes{};
  for (int c = 0; c < 26; ++c)
    classes['a' + c] = classes['A' + c] = FIRST | LATER;
  for (int c = '0'; c <= '9'; ++c)
    classes[c] = LATER;
  classes['_'] = classes['$'] = classes['%'] = FIRST | LATER;
  for (char c : {' ', '\t', '\n', '\r', '\v', '\f'})
    classes[uint8_t(c)] = SPACE;
  return classes;
}();

bool is(char c, uint8_t kind) { return CLASSES[uint8_t(c)] & kind; }

/// The bits of a decimal real number; false if it is none.
bool decimal(StringRef text, uint64_t &bits) {
  APFloat value(APFloat::IEEEdouble());
  Expected<APFloat::opStatus> status =
      value.convertFromString(text, APFloat::rmNearestTiesToEven);
  if (!status) {
    consumeError(status.takeError());
    return false;
  }
  bits = value.bitcastToAPInt().getZExtValue();
  return true;
}

} // namespace

bool Lexer::skip_comment() {
  if (end - position < 2 || *position != '/')
    return false;
  if (position[1] == '/') {
    skip_line();
    return true;
  }
  if (position[1] != '*')
    return false;
  const StringRef rest(position + 2, end - position - 2);
  const size_t close = rest.find("*/");
  const StringRef comment = rest.take_front(close);
  current_line += comment.count('\n');
  position = close == StringRef::npos ? end : comment.end() + 2;
  return true;
}

void Lexer::skip_space() {
  while (position != end) {
    if (*position == '\n') {
      ++current_line;
      line_start = ++position;
    } else if (is(*position, SPACE)) {
      ++position;
    } else if (*position == '/') {
      if (!skip_comment())
        return;
    } else if (*position == '#' && position == line_start) {
      skip_line();
    } else {
      return;
    }
  }
}

void Lexer::skip_line() {
  const void *found = memchr(position, '\n', end - position);
  position = found ? static_cast<const char *>(found) : end;
}

bool Lexer::accept(char first, char second) {
  if (peek() != first || end - position < 2 || position[1] != second)
    return false;
  position += 2;
  return true;
}

bool Lexer::is_before_word() {
  return !at_end() && end - position > 1 && is(position[1], FIRST);
}

StringRef Lexer::word() {
  if (!is(peek(), FIRST))
    return {};
  const char *start = position++;
  while (position != end && is(*position, LATER))
    ++position;
  return StringRef(start, position - start);
}

StringRef Lexer::modifier() {
  if (end - position < 2 || *position != '.' || !is(position[1], LATER))
    return {};
  const char *start = ++position;
  while (position != end) {
    if (is(*position, LATER))
      ++position;
    else if (end - position > 2 && position[0] == ':' && position[1] == ':')
      position += 2;
    else
      break;
  }
  return StringRef(start, position - start);
}

StringRef Lexer::dot_word() {
  skip_space();
  return modifier();
}

bool Lexer::number(Number &number) {
  if (const char first = peek(); !isDigit(first) && first != '.')
    return false;
  const char *start = position;
  StringRef rest(start, end - start);
  auto digits = [&](size_t skipped, auto accepted) {
    return rest.substr(skipped).take_while(accepted);
  };
  auto finish = [&](StringRef text, unsigned radix, bool suffix) {
    position = text.end();
    if (suffix && position != end && *position == 'U')
      ++position;
    return !text.getAsInteger(radix, number.value) &&
           (position == end || !is(*position, LATER));
  };
  number.kind = Number::Kind::integer;
  if (rest.size() > 2 && rest[0] == '0') {
    const char kind = toLower(rest[1]);
    if (kind == 'f' || kind == 'd') {
      number.kind = kind == 'f' ? Number::Kind::real32 : Number::Kind::real64;
      const StringRef text = digits(2, isHexDigit);
      return finish(text, 16, false) && text.size() == (kind == 'f' ? 8 : 16);
    }
    if (kind == 'x')
      return finish(digits(2, isHexDigit), 16, true);
    if (kind == 'b')
      return finish(digits(2, isDigit), 2, true);
  }
  const StringRef whole = digits(0, isDigit);
  const char next = whole.end() == end ? 0 : *whole.end();
  if (next != '.' && next != 'e' && next != 'E')
    return finish(whole, whole.size() > 1 && whole[0] == '0' ? 8 : 10, true);
  StringRef text = digits(
      0, [](char c) { return isDigit(c) || c == '.' || c == 'e' || c == 'E'; });
  if (toLower(text.back()) == 'e' && text.end() != end &&
      (*text.end() == '-' || *text.end() == '+'))
    text = rest.take_front(text.size() + 1 +
                           digits(text.size() + 1, isDigit).size());
  position = text.end();
  number.kind = Number::Kind::real64;
  return decimal(text, number.value);
}

bool Lexer::string(StringRef &text) {
  if (peek() != '"' || position == end)
    return false;
  const char *start = ++position;
  for (; position != end && *position != '\n'; ++position) {
    if (*position == '"') {
      text = StringRef(start, position++ - start);
      return true;
    }
    if (*position == '\\' && end - position > 1 && position[1] != '\n')
      ++position;
  }
  return false;
}

bool Lexer::skip_braces() {
  unsigned open = 0;
  while (!at_end()) {
    const char c = *position++;
    open += c == '{';
    if (c == '}' && open-- <= 1)
      return open == 0;
  }
  return false;
}

StringRef Lexer::excerpt() {
  constexpr size_t LENGTH = 24;
  skip_space();
  return StringRef(position, end - position)
      .take_front(LENGTH)
      .take_until([](char c) { return c == '\n' || c == '\r'; });
}

} // namespace gpuexec::ptx
