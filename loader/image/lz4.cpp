//===-- loader/image/lz4.cpp - Unpacks an LZ4 block -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/image/lz4.h"
#include <optional>

namespace gpuexec::parsing {

bool unpack_lz4(llvm::ArrayRef<uint8_t> packed,
                llvm::MutableArrayRef<uint8_t> plain) {
  size_t in = 0, out = 0;
  // A length of 15 in the token goes on in bytes of 255 up to one that is less.
  auto read_length = [&](size_t start) -> std::optional<size_t> {
    size_t length = start;
    if (start != 15)
      return length;
    while (in < packed.size()) {
      uint8_t more = packed[in++];
      length += more;
      if (more != 255)
        return length;
    }
    return std::nullopt;
  };
  while (in < packed.size()) {
    uint8_t token = packed[in++];
    std::optional<size_t> literals = read_length(token >> 4);
    if (!literals || *literals > packed.size() - in ||
        *literals > plain.size() - out)
      return false;
    std::copy_n(packed.begin() + in, *literals, plain.begin() + out);
    in += *literals;
    out += *literals;
    if (in == packed.size())
      break; // the last sequence has literals only
    if (packed.size() - in < 2)
      return false;
    size_t distance = packed[in] | packed[in + 1] << 8;
    in += 2;
    std::optional<size_t> rest = read_length(token & 15);
    if (!rest || distance == 0 || distance > out ||
        *rest + 4 > plain.size() - out)
      return false;
    for (size_t left = *rest + 4; left;
         --left, ++out) // may overlap what it writes
      plain[out] = plain[out - distance];
  }
  return out == plain.size();
}

} // namespace gpuexec::parsing
