//===-- replay/recorder/core.h - The C core, for C++ ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_RECORDER_CORE_H
#define GPUEXEC_REPLAY_RECORDER_CORE_H

#include "replay/core/items.h"
#include "replay/core/match.h"
#include "support/printable.h"
#include "llvm/ADT/StringRef.h"
#include <cstdlib>
#include <memory>
#include <string>

namespace gpuexec::record {

inline llvm::StringRef to_ref(bytes of) {
  return {reinterpret_cast<const char *>(of.data), of.size};
}
inline bytes to_bytes(llvm::StringRef text) {
  return {text.bytes_begin(), text.size()};
}

/// A buffer of the core, for its functions that append text.
class Text {
public:
  Text() = default;
  Text(const Text &) = delete;
  ~Text() { std::free(text.data); }
  // NOLINTNEXTLINE(google-explicit-constructor): for calls of the C core
  operator buffer *() { return &text; }
  llvm::StringRef ref() const { return to_ref(view(&text)); }
  /// One line of printable characters.
  std::string printable() const { return gpuexec::printable(ref()); }

private:
  buffer text = {};
};

/// The values of a request or an answer.
class Items {
public:
  using Reader = void (*)(items *, const recorded_call *);
  Items(Reader read, const recorded_call &call) { read(&all, &call); }
  Items(const Items &) = delete;
  ~Items() { std::free(all.all); }
  // NOLINTNEXTLINE(google-explicit-constructor): for calls of the C core
  operator const items *() const { return &all; }
  size_t size() const { return all.count; }
  item &operator[](size_t i) { return all.all[i]; }
  item *begin() { return all.all; }
  item *end() { return all.all + all.count; }

private:
  items all = {};
};

/// The lanes of a call.
class Lanes {
public:
  explicit Lanes(const recorded_call &call)
      : count(size_t(__builtin_popcountll(call.mask))), all(split_call(&call)) {
  }
  Lanes(const Lanes &) = delete;
  ~Lanes() { free_lanes(all, count); }
  size_t size() const { return count; }
  const lane_call &operator[](size_t i) const { return all[i]; }
  const lane_call *begin() const { return all; }
  const lane_call *end() const { return all + count; }

private:
  const size_t count;
  lane_call *const all;
};

struct FreeMatcher {
  void operator()(matcher *matcher) const { free_matcher(matcher); }
};
using Matcher = std::unique_ptr<matcher, FreeMatcher>;

} // namespace gpuexec::record

#endif
