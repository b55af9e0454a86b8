//===-- support/printable.h - Text from elsewhere, for people ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names in an image, and other text from untrusted files, may hold bytes that
// control a terminal or that look like another line of output. Messages of ours
// print such text through these functions. A program's own output is not
// changed.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_PRINTABLE_H
#define GPUEXEC_SUPPORT_PRINTABLE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpuexec {

namespace printable_detail {

/// Decodes the first character of `text` and returns its size in bytes, or 0
/// when it is not UTF-8 (overlong, a surrogate, or above U+10FFFF).
inline size_t decode(std::string_view text, uint32_t &character) {
  const auto byte = [&](size_t i) { return uint8_t(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) {
    character = first;
    return 1;
  }
  const size_t size = first < 0xc2   ? 0
                      : first < 0xe0 ? 2
                      : first < 0xf0 ? 3
                      : first < 0xf5 ? 4
                                     : 0;
  if (!size || size > text.size())
    return 0;
  character = first & (0x7f >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
    character = character << 6 | (byte(i) & 0x3f);
  }
  const bool overlong =
      (size == 3 && character < 0x800) || (size == 4 && character < 0x10000);
  const bool surrogate = character >= 0xd800 && character < 0xe000;
  return overlong || surrogate || character > 0x10ffff ? 0 : size;
}

/// False for controls (C0, delete, C1), separators of lines and paragraphs,
/// invisible characters and those that change the direction of text.
inline bool is_harmless(uint32_t c) {
  return !(c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
           (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f));
}

} // namespace printable_detail

/// `text` as one line of valid UTF-8. Bytes that are not UTF-8, and each byte
/// of a character that is not harmless, become `\xHH`.
inline std::string printable(std::string_view text) {
  static constexpr char DIGITS[] = "0123456789abcdef";
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    uint32_t character = 0;
    size_t size = printable_detail::decode(text, character);
    if (size && printable_detail::is_harmless(character)) {
      result.append(text.substr(0, size));
    } else {
      size = size ? size : 1;
      for (size_t i = 0; i < size; ++i) {
        result += "\\x";
        result += DIGITS[uint8_t(text[i]) >> 4];
        result += DIGITS[uint8_t(text[i]) & 15];
      }
    }
    text.remove_prefix(size);
  }
  return result;
}

/// printable() of each line of `text`; newlines stay.
inline std::string printable_lines(std::string_view text) {
  std::string result;
  for (size_t end; (end = text.find('\n')) != std::string_view::npos;
       text.remove_prefix(end + 1))
    result += printable(text.substr(0, end)) + '\n';
  return result + printable(text);
}

/// `text`, which is JSON, as valid UTF-8: LLVM's JSON writer escapes the first
/// 32 control characters only. Characters that are not harmless become \u
/// escapes, except newlines; a byte that is not UTF-8 becomes \ufffd.
inline std::string printable_json(std::string_view text) {
  static constexpr char DIGITS[] = "0123456789abcdef";
  std::string result;
  result.reserve(text.size());
  auto unit = [&](uint32_t value) {
    result += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
      result += DIGITS[value >> shift & 15];
  };
  while (!text.empty()) {
    uint32_t character = 0;
    size_t size = printable_detail::decode(text, character);
    if (text.front() == '\n' ||
        (size && printable_detail::is_harmless(character))) {
      result.append(text.substr(0, size));
    } else if (character > 0xffff && size) { // as two halves, in UTF-16
      unit(0xd800 + ((character - 0x10000) >> 10));
      unit(0xdc00 + ((character - 0x10000) & 0x3ff));
    } else {
      unit(size ? character : 0xfffd);
    }
    text.remove_prefix(size ? size : 1);
  }
  return result;
}

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_PRINTABLE_H
