//===-- rpc/services/format.cpp - printf with the device's arguments ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/format.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MathExtras.h"
#include <charconv>
#include <errno.h>
#include <limits.h>
#include <stdio.h>

using namespace gpuexec::rpc;

// More arguments than any call has; a format may name `%999999999$d`.
static constexpr int MAX_ARGUMENTS = 4096;

namespace {
/// A number at the cursor, saturated; -1 when there is none.
int64_t number(const char *&at, const char *end) {
  if (at == end || *at < '0' || *at > '9')
    return -1;
  int64_t value = 0;
  for (; at != end && *at >= '0' && *at <= '9'; ++at)
    value = std::min<int64_t>(value * 10 + (*at - '0'), INT_MAX);
  return value;
}

/// The argument that "N$" at the cursor names, N - 1; -1 and nothing read when
/// there is no such text.
int position(const char *&at, const char *end) {
  const char *const before = at;
  const int64_t value = number(at, end);
  if (value > 0 && at != end && *at++ == '$')
    return int(value - 1);
  at = before;
  return -1;
}

constexpr llvm::StringLiteral INTEGERS = "diouxXbB", FLOATS = "fFeEgGaA";
} // namespace

bool Format::use(int index, uint8_t size) {
  if (index < 0 || index >= MAX_ARGUMENTS)
    return false;
  if (size_t(index) >= arguments.size())
    arguments.resize(index + 1);
  // The same argument used twice must have one size.
  if (arguments[index].size && arguments[index].size != size)
    return false;
  arguments[index].size = size;
  return true;
}

Format::Format(llvm::StringRef text, Packing packing) {
  text = text.take_front(text.find('\0'));
  const char *at = text.begin(), *end = text.end();
  int next = 0; // argument for a conversion without a position
  // A `*`, maybe with a position: the index of its argument.
  auto star = [&]() {
    ++at;
    int index = position(at, end);
    if (index < 0)
      index = next++;
    is_valid &= use(index, 4);
    return index;
  };
  auto literal = [&](const char *from, const char *to) {
    if (from == to)
      return;
    if (pieces.empty() || pieces.back().conversion)
      pieces.emplace_back();
    pieces.back().text.append(from, to);
  };

  while (at != end) {
    const char *begin = at;
    while (at != end && *at != '%')
      ++at;
    literal(begin, at);
    if (at == end)
      break;
    begin = at++; // the '%'
    Piece piece;
    piece.text = "%";
    const int named = position(at, end);
    for (; at != end && llvm::StringRef("-+ #0'I").contains(*at); ++at)
      if (piece.text.size() < 8 && *at != 'I' &&
          !llvm::StringRef(piece.text).contains(*at))
        piece.text += *at;
    if (at != end && *at == '*')
      piece.width_argument = star();
    else
      piece.width = int(number(at, end));
    if (at != end && *at == '.') {
      ++at;
      if (at != end && *at == '*')
        piece.precision_argument = star();
      else if (at != end && *at == '-') { // negative: as if there were none
        ++at;
        number(at, end);
      } else {
        piece.precision = int(std::max<int64_t>(number(at, end), 0));
      }
    }
    // Length modifiers: what counts is 8 bytes or not, section 3.9.
    bool wide = false;
    while (at != end && llvm::StringRef("hljztqLw").contains(*at)) {
      const char modifier = *at++;
      if (modifier == 'h') {
        piece.length = piece.length == 'h' ? 'H' : 'h';
      } else if (modifier == 'w') { // C23: w8, w16, w32, w64, wf8 ...
        const bool fast = at != end && *at == 'f';
        at += fast;
        const int64_t bits = number(at, end);
        // Fast types: in our client's C library 8 bytes from 16 bits on, in
        // LLVM's those of the same width.
        wide = fast && packing == Packing::slots ? bits > 8 : bits == 64;
        piece.length = wide ? 0 : bits == 8 ? 'H' : bits == 16 ? 'h' : 0;
      } else {
        wide = true; // %Ld is %lld, as in glibc; all floats have 8 bytes
      }
    }
    if (at == end) {
      literal(begin, at); // the format ends within a conversion
      break;
    }
    char conversion = *at++;
    bool utf8 = false;
    uint8_t size = 8;
    if (conversion == '%') {
      literal(at - 1, at);
      continue;
    }
    if (conversion == ERROR_TEXT) {
      const char *text = strerror(piece.width < 0 ? 0 : piece.width);
      literal(text, text + strlen(text));
      continue;
    }
    if (INTEGERS.contains(conversion)) {
      size = wide ? 8 : 4;
      piece.length = wide ? 'l' : piece.length;
    } else if (conversion == 'c' || conversion == 'C') { // C: as %lc
      size = 4;
      piece.length = wide || conversion == 'C' ? 'l' : piece.length;
      conversion = 'c';
    } else if (conversion == UTF8_CHARACTER) {
      size = 4;
      piece.length = 'u';
      conversion = 'c';
    } else if (conversion == 'S' || conversion == UTF8_STRING) { // as %ls
      utf8 = conversion == UTF8_STRING;
      wide = true;
      conversion = 's';
    } else if (!FLOATS.contains(conversion) &&
               !llvm::StringRef("spn").contains(conversion)) {
      literal(begin, at); // not a conversion, %m among them
      continue;
    }
    piece.conversion = conversion;
    piece.argument = named >= 0 ? named : next++;
    is_valid &= use(piece.argument, size);
    if (conversion == 's') {
      piece.string = int(string_arguments.size());
      string_arguments.push_back({unsigned(piece.argument), 0,
                                  piece.precision_argument, piece.precision,
                                  wide, utf8});
    }
    pieces.push_back(std::move(piece));
    if (!is_valid)
      break;
  }

  for (Argument &argument : arguments) {
    if (!argument.size)
      is_valid = false;
    const uint64_t alignment = packing == Packing::slots    ? 8
                               : packing == Packing::packed ? 1
                                                            : argument.size;
    if (argument.size)
      block_size = llvm::alignTo(block_size, alignment);
    argument.offset = block_size;
    block_size += packing == Packing::slots ? 8 : argument.size;
  }
  if (!is_valid) {
    block_size = 0;
    string_arguments.clear();
    return;
  }
  for (StringArgument &string : string_arguments)
    string.offset = arguments[string.argument].offset;
}

uint64_t Format::value(int argument, llvm::StringRef block) const {
  const Argument &found = arguments[argument];
  uint64_t value = 0;
  if (found.offset + found.size <= block.size())
    memcpy(&value, block.data() + found.offset, found.size);
  return value;
}

uint64_t Format::address(const StringArgument &string,
                         llvm::StringRef block) const {
  return value(int(string.argument), block);
}

uint64_t Format::precision(const StringArgument &string,
                           llvm::StringRef block) const {
  int64_t precision = string.precision_argument >= 0
                          ? int32_t(value(string.precision_argument, block))
                          : string.precision;
  return precision < 0 ? ~uint64_t(0) : uint64_t(precision);
}

/// Appends a text with spaces up to `width` bytes on its left or right.
int Format::pad(llvm::StringRef text, bool left, uint64_t width, Buffer &out) {
  const uint64_t padding = width > text.size() ? width - text.size() : 0;
  if (text.size() + padding > MAX_TEXT)
    return EOVERFLOW;
  if (!out.reserve(text.size() + padding))
    return ENOMEM;
  auto spaces = [&] {
    memset(out.data() + out.size(), ' ', padding);
    out.grow(padding);
  };
  if (!left && padding)
    spaces();
  out.append(text.data(), text.size());
  if (left && padding)
    spaces();
  return 0;
}

int Format::convert(const Piece &piece, Buffer &out, llvm::StringRef block,
                    llvm::ArrayRef<llvm::StringRef> copies, Style style) const {
  int width = piece.width_argument >= 0
                  ? int(value(piece.width_argument, block))
                  : piece.width;
  int precision = piece.precision_argument >= 0
                      ? int(value(piece.precision_argument, block))
                      : piece.precision;
  if (precision < 0)
    precision = -1;
  bool has_width = piece.width_argument >= 0 || piece.width >= 0;
  bool is_string = piece.conversion == 's'; // its precision only cuts
  if (has_width && std::abs(int64_t(width)) > MAX_WIDTH)
    return EOVERFLOW;
  if (precision > MAX_WIDTH && !is_string)
    return EOVERFLOW;
  uint64_t bits = value(piece.argument, block);
  bool plain = piece.text.size() == 1 && !has_width && precision < 0;

  const bool left =
      llvm::StringRef(piece.text).contains('-') || (has_width && width < 0);
  const uint64_t wanted = has_width ? uint64_t(std::abs(int64_t(width))) : 0;
  if (piece.conversion == 'c' && piece.length == 'u') {
    char bytes[4], *end = bytes;
    if (!llvm::ConvertCodePointToUTF8(uint32_t(bits), end))
      return EILSEQ;
    return pad({bytes, size_t(end - bytes)}, left, wanted, out);
  }
  // In the C locale only those of ASCII are wide characters.
  if (piece.conversion == 'c' && piece.length == 'l' && uint32_t(bits) > 0x7f)
    return EILSEQ;

  // The everyday conversions need no snprintf.
  if (plain && !(piece.length == 'h' || piece.length == 'H')) {
    char digits[24];
    std::to_chars_result end = {digits, {}};
    bool wide = piece.length == 'l';
    switch (piece.conversion) {
    case 'd':
    case 'i':
      end = wide ? std::to_chars(digits, digits + 24, int64_t(bits))
                 : std::to_chars(digits, digits + 24, int32_t(bits));
      break;
    case 'u':
      end = std::to_chars(digits, digits + 24, bits);
      break;
    case 'x':
      end = std::to_chars(digits, digits + 24, bits, 16);
      break;
    case 'c':
      *digits = char(bits);
      end.ptr = digits + 1;
      break;
    default:
      break;
    }
    if (end.ptr != digits)
      return out.append(digits, uint64_t(end.ptr - digits)) ? 0 : ENOMEM;
  }

  const bool llvm_pointer = piece.conversion == 'p' && style == Style::llvm;
  if (is_string || (llvm_pointer && !bits)) {
    llvm::StringRef text = is_string ? "(null)" : "(nullptr)";
    if (bits) {
      text = size_t(piece.string) < copies.size() ? copies[piece.string] : "";
      text = text.take_front(text.find('\0'));
    } else if (style == Style::host && precision >= 0 && precision < 6) {
      text = ""; // as glibc does
    }
    if (precision >= 0)
      text = text.take_front(size_t(precision));
    return pad(text, left, wanted, out);
  }

  // Width and precision always go as arguments, so that the host's format is
  // made of flags and one letter.
  std::string format = piece.text;
  if (llvm_pointer) // %#tx
    format += '#';
  if (has_width)
    format += '*';
  if (precision >= 0)
    format += ".*";
  if (INTEGERS.contains(piece.conversion)) {
    if (piece.length == 'l')
      format += "ll";
    else if (piece.length == 'h')
      format += 'h';
    else if (piece.length == 'H')
      format += "hh";
  }
  format += llvm_pointer ? "tx" : std::string(1, piece.conversion);

  auto print = [&](auto argument) {
    auto once = [&](char *to, size_t size) {
      const char *f = format.c_str();
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
      if (has_width && precision >= 0)
        return snprintf(to, size, f, width, precision, argument);
      if (has_width)
        return snprintf(to, size, f, width, argument);
      if (precision >= 0)
        return snprintf(to, size, f, precision, argument);
      return snprintf(to, size, f, argument);
#pragma clang diagnostic pop
    };
    char small[128];
    int needed = once(small, sizeof small);
    if (needed < 0)
      return errno ? errno : EINVAL;
    if (size_t(needed) < sizeof small)
      return out.append(small, uint64_t(needed)) ? 0 : ENOMEM;
    if (!out.reserve(uint64_t(needed) + 1))
      return ENOMEM;
    once(out.data() + out.size(), size_t(needed) + 1);
    out.grow(uint64_t(needed));
    return 0;
  };

  if (piece.conversion == 'n') // consumed, nothing is written back
    return 0;
  if (piece.conversion == 'c')
    return print(int(bits));
  if (llvm_pointer)
    return print(uint64_t(bits));
  if (piece.conversion == 'p')
    return print(reinterpret_cast<void *>(bits));
  if (FLOATS.contains(piece.conversion)) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return print(number);
  }
  return piece.length == 'l' ? print((long long)bits) : print(int(bits));
}

int Format::print(Buffer &out, llvm::StringRef block,
                  llvm::ArrayRef<llvm::StringRef> copies, Style style) const {
  if (!is_valid)
    return EINVAL;
  uint64_t begin = out.size();
  for (const Piece &piece : pieces) {
    if (!piece.conversion) {
      if (!out.append(piece.text.data(), piece.text.size()))
        return ENOMEM;
    } else if (int error = convert(piece, out, block, copies, style)) {
      return error;
    }
    if (out.size() - begin > MAX_TEXT)
      return EOVERFLOW;
  }
  return 0;
}
