//===-- support/packed.h - Numbers and strings as few bytes -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number is written as LEB128: seven bits a byte, the low ones first; all
// bytes but the last have their top bit set. A string is its size as a number,
// then its bytes.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_PACKED_H
#define GPUEXEC_SUPPORT_PACKED_H

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuexec {

inline void pack_number(std::string &to, uint64_t number) {
  for (; number >= 0x80; number >>= 7)
    to += char(number | 0x80);
  to += char(number);
}

/// Appends several numbers at once, which is faster than one by one.
template <typename... N> void pack_numbers(std::string &to, N... numbers) {
  char bytes[sizeof...(N) * 10];
  char *end = bytes;
  auto pack = [&](uint64_t number) {
    for (; number >= 0x80; number >>= 7)
      *end++ = char(number | 0x80);
    *end++ = char(number);
  };
  (pack(uint64_t(numbers)), ...);
  to.append(bytes, size_t(end - bytes));
}

inline void pack_bytes(std::string &to, std::string_view bytes) {
  pack_number(to, bytes.size());
  to.append(bytes);
}

/// Reads what the functions above have written, from bytes of any origin. After
/// a failure every further read gives 0 or an empty string.
class PackedReader {
public:
  explicit PackedReader(std::string_view bytes) : left(bytes) {}

  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; !left.empty() && shift < 64; shift += 7) {
      const uint8_t byte = uint8_t(left[0]);
      left.remove_prefix(1);
      value |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80))
        return shift == 63 && byte > 1 ? fail() : value;
    }
    return fail();
  }
  /// The next string: a view into the bytes given to the constructor.
  std::string_view bytes() {
    const uint64_t size = number();
    if (size > left.size())
      return fail(), std::string_view();
    const std::string_view found = left.substr(0, size);
    left.remove_prefix(size);
    return found;
  }
  bool at_end() const { return left.empty(); }
  /// True after a read that met malformed bytes or the end of the bytes.
  bool failed() const { return broken; }

private:
  uint64_t fail() {
    broken = true;
    left = {};
    return 0;
  }
  std::string_view left;
  bool broken = false;
};

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_PACKED_H
