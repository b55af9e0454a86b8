//===-- lending/wire/bytes.h - Fields as bytes ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the fields of a message together, and takes untrusted bytes apart.
// Messages themselves are in messages.h.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_BYTES_H
#define GPUEXEC_LENDING_WIRE_BYTES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace gpuexec::wire {

/// Puts a body together.
class Writer {
public:
  template <typename T> Writer &put(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    body.append(reinterpret_cast<const char *>(&value), sizeof(value));
    return *this;
  }
  /// With its length in front.
  Writer &text(llvm::StringRef text) {
    put(uint32_t(text.size()));
    return raw(text);
  }
  /// Without a length.
  Writer &raw(llvm::StringRef bytes) {
    body.append(bytes.begin(), bytes.end());
    return *this;
  }
  llvm::StringRef bytes() const { return body; }
  std::string take() { return std::move(body); }

private:
  std::string body;
};

/// Takes a body apart. Once a field is missing everything is zero or empty and
/// ok() is false.
class Reader {
public:
  explicit Reader(llvm::StringRef body) : rest(body) {}
  template <typename T> T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (good && rest.size() >= sizeof(value)) {
      std::memcpy(&value, rest.data(), sizeof(value));
      rest = rest.drop_front(sizeof(value));
    } else {
      good = false;
    }
    return value;
  }
  /// A byte that is 0 for false: any other value is a true that bool can hold.
  bool take_flag() { return take<uint8_t>() != 0; }
  llvm::StringRef text() {
    uint32_t size = take<uint32_t>();
    good &= size <= rest.size();
    if (!good)
      return {};
    llvm::StringRef text = rest.take_front(size);
    rest = rest.drop_front(size);
    return text;
  }
  /// All that was not taken yet.
  llvm::StringRef take_rest() {
    return good ? std::exchange(rest, {}) : llvm::StringRef();
  }
  /// A field has a value that it must not have.
  void refuse() { good = false; }
  /// Every field was there.
  bool ok() const { return good; }
  /// And nothing else.
  bool done() const { return good && rest.empty(); }

private:
  llvm::StringRef rest;
  bool good = true;
};

} // namespace gpuexec::wire

#endif
