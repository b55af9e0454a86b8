//===-- lending/tests/filler.h - Messages out of any bytes ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes well-formed messages of each kind of requests.def, with fields out of a
// fuzzer's input: it need not find out the form of a message by itself. Limits
// of the table are not kept.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_TESTS_FILLER_H
#define GPUEXEC_LENDING_TESTS_FILLER_H

#include "lending/wire/messages.h"

namespace gpuexec::wire {

class Filler {
public:
  /// Takes what it needs from the front of `input`, which stays until the
  /// message was encoded.
  explicit Filler(llvm::StringRef &input) : input(input) {}
  template <typename T, typename... Limit> void field(T &value, Limit...) {
    if constexpr (requires { walk(*this, value); }) {
      walk(*this, value);
    } else if (const uint8_t first = byte(); first < 0x80) {
      std::memcpy(static_cast<void *>(&value), &first, 1); // a small number
    } else {
      const llvm::StringRef bytes = take(sizeof(value));
      std::memcpy(static_cast<void *>(&value), bytes.data(), bytes.size());
    }
  }
  template <typename... Limit> void field(bool &value, Limit...) {
    value = byte() & 1;
  }
  template <typename... Limit> void field(Bytes &value, Limit...) {
    value = take(byte());
  }
  template <typename... Limit> void field(Text &value, Limit...) {
    value = take(byte()).str();
  }
  template <typename Known> void field(Name &value, Known known) {
    value = known(take(byte()));
  }
  void field(Rest &value) { value.bytes = take(byte()); }
  template <typename T> void field(std::optional<T> &value) {
    if (byte() & 1)
      field(value.emplace());
  }
  template <typename T, typename Limit>
  void field(std::vector<T> &values, Limit) {
    values.resize(byte() % 8);
    for (T &value : values)
      field(value);
  }

private:
  llvm::StringRef take(size_t size) {
    const llvm::StringRef taken = input.take_front(size);
    input = input.drop_front(taken.size());
    return taken;
  }
  uint8_t byte() {
    const llvm::StringRef taken = take(1);
    return taken.empty() ? 0 : uint8_t(taken[0]);
  }
  llvm::StringRef &input;
};

/// The body of a message of that kind; empty when there is none.
inline std::string fill(uint32_t kind, llvm::StringRef &input) {
  switch (kind) {
#define FIELD(TYPE, NAME, ...)
#define FOREIGN(TYPE, FIELDS)
#define RECORD(NAME, FIELDS)
#define FILL(NAME)                                                             \
  case NAME::KIND: {                                                           \
    NAME message;                                                              \
    Filler filler(input);                                                      \
    walk(filler, message);                                                     \
    return encode(message);                                                    \
  }
#define REQUEST(NAME, NUMBER, READ_BY, FIELDS, REPLY) FILL(NAME)
#define MESSAGE(NAME, NUMBER, SENT_BY, READ_BY, FIELDS) FILL(NAME)
#include "lending/wire/requests.def"
#undef FILL
  default:
    return {};
  }
}

} // namespace gpuexec::wire

#endif
