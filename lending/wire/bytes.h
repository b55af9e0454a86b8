//===-- lending/wire/bytes.h - Fields as bytes ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the fields of messages as bytes, and reads them from untrusted bytes.
// The messages themselves are in messages.h.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_BYTES_H
#define GPUEXEC_LENDING_WIRE_BYTES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace gpuexec::wire {

/// Writes the body of a message.
class Writer {
public:
  template <typename T> Writer &put(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    body.append(reinterpret_cast<const char *>(&value), sizeof(value));
    return *this;
  }
  /// Appends a text, its length in front.
  Writer &text(llvm::StringRef text) {
    put(uint32_t(text.size()));
    return raw(text);
  }
  /// Appends bytes, without their length.
  Writer &raw(llvm::StringRef bytes) {
    body.append(bytes.begin(), bytes.end());
    return *this;
  }
  llvm::StringRef bytes() const { return body; }
  std::string take() { return std::move(body); }

private:
  std::string body;
};

/// Reads the body of a message. Once a field was missing, all others read as
/// zero or empty and ok() is false.
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
  /// Reads a bool, which is a byte: any value but 0 is true. Only 0 and 1 may
  /// be copied into a bool.
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
  /// All bytes that were not read yet.
  llvm::StringRef take_rest() {
    return good ? std::exchange(rest, {}) : llvm::StringRef();
  }
  /// To be called when a field has an invalid value: ok() is false from now on.
  void refuse() { good = false; }
  /// True when every field so far was there and valid.
  bool ok() const { return good; }
  /// True when ok() is and no bytes follow the last field.
  bool done() const { return good && rest.empty(); }

private:
  llvm::StringRef rest;
  bool good = true;
};

} // namespace gpuexec::wire

#endif
