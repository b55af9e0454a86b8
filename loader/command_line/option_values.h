//===-- loader/command_line/option_values.h - Values of options -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rows of an option table set (option_table.h). Each function stores what
// an option says in `to`; its error says what the value is not.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_OPTION_VALUES_H
#define GPUEXEC_LOADER_COMMAND_LINE_OPTION_VALUES_H

#include "loader/command_line/option_table.h"
#include "loader/command_line/units.h"
#include "loader/device/device.h"
#include "support/failure.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>
#include <limits>
#include <optional>

namespace gpuexec {

/// For an option without a value, which means `value`.
template <typename T> llvm::Error set(T &to, T value = true) {
  to = value;
  return llvm::Error::success();
}

/// Any text but the empty one. `expected`: what the text is, in the error.
inline llvm::Error read_text(const Given &given, std::string &to,
                             llvm::StringRef expected) {
  to = given.value;
  return to.empty() ? given.is_not(expected) : llvm::Error::success();
}

inline llvm::Error read_file(const Given &given, std::string &to) {
  return read_text(given, to, "the name of a file");
}

/// A number from `least` to `most`.
template <typename T>
llvm::Error read_number(const Given &given, T &to, T least, T most) {
  T value;
  if (!llvm::to_integer(llvm::StringRef(given.value), value, 10) ||
      value < least || value > most)
    return given.is_not(
        most == std::numeric_limits<uint64_t>::max()
            ? llvm::formatv("a number from {0}", least).str()
            : llvm::formatv("a number from {0} to {1}", least, most).str());
  return set(to, value);
}

/// A number from 1 to the largest of T.
template <typename T> llvm::Error read_count(const Given &given, T &to) {
  return read_number(given, to, T(1), std::numeric_limits<T>::max());
}

/// Bytes: 4096, 64K, 16MiB, 10MB, 2G.
inline llvm::Error read_size(const Given &given, std::optional<uint64_t> &to) {
  to = parse_size(given.value);
  return to ? llvm::Error::success() : given.is_not(SIZE_IS);
}

/// A duration: 10, 1.5s, 500ms, 2m.
inline llvm::Error read_time(const Given &given,
                             std::optional<std::chrono::duration<double>> &to) {
  const std::optional<double> seconds = parse_time(given.value);
  if (!seconds)
    return given.is_not(TIME_IS);
  to = std::chrono::duration<double>(*seconds);
  return llvm::Error::success();
}

/// A device, as --device takes it.
inline llvm::Error read_device(const Given &given, DeviceRequest &to) {
  llvm::Expected<DeviceRequest> request = DeviceRequest::parse(given.value);
  if (!request)
    return request.takeError();
  to = std::move(*request);
  return llvm::Error::success();
}

/// One of a few words, each of which stands for a value.
template <typename T>
llvm::Error
read_word(const Given &given, T &to,
          std::initializer_list<std::pair<llvm::StringRef, T>> words,
          llvm::StringRef expected) {
  for (const auto &[word, value] : words)
    if (word == given.value)
      return set(to, value);
  return given.is_not(expected);
}

} // namespace gpuexec

#endif
