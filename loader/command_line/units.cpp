//===-- loader/command_line/units.cpp - See units.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/command_line/units.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace gpuexec {
namespace {

constexpr llvm::StringLiteral PREFIXES = "KMGT";
constexpr double LONGEST_TIME = 1e9; ///< seconds

struct TimeUnit {
  llvm::StringLiteral name;
  double seconds;
};
/// A name that ends like another one comes first.
constexpr TimeUnit TIME_UNITS[] = {{"ms", 1e-3}, {"s", 1},     {"m", 60},
                                   {"h", 3600},  {"d", 86400}, {"", 1}};

} // namespace

std::optional<uint64_t> parse_size(llvm::StringRef text) {
  const llvm::StringRef digits = text.take_while(llvm::isDigit);
  llvm::StringRef unit = text.drop_front(digits.size());
  uint64_t number, factor = 1;
  if (!llvm::to_integer(digits, number, 10))
    return std::nullopt;
  if (!unit.empty() && !unit.equals_insensitive("B")) {
    const size_t place = PREFIXES.find(llvm::toUpper(unit.front()));
    unit = unit.drop_front();
    if (place == llvm::StringRef::npos ||
        !(unit.empty() || unit.equals_insensitive("iB") ||
          unit.equals_insensitive("B")))
      return std::nullopt;
    const uint64_t base = unit.equals_insensitive("B") ? 1000 : 1024;
    for (size_t i = 0; i <= place; ++i)
      factor *= base;
  }
  uint64_t bytes;
  if (__builtin_mul_overflow(number, factor, &bytes))
    return std::nullopt;
  return bytes;
}

std::optional<double> parse_time(llvm::StringRef text) {
  for (const TimeUnit &unit : TIME_UNITS) {
    llvm::StringRef number = text;
    if (!number.consume_back(unit.name))
      continue;
    double value;
    if (number.empty() || !llvm::to_float(number, value) ||
        !std::isfinite(value) || value < 0 ||
        value * unit.seconds >= LONGEST_TIME)
      return std::nullopt;
    return value * unit.seconds;
  }
  return std::nullopt;
}

std::string print_size(uint64_t bytes) {
  if (bytes < 1024)
    return std::to_string(bytes) + " B";
  double value = double(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < PREFIXES.size(); ++unit)
    value /= 1024;
  return llvm::formatv("{0:f1} {1}iB", value, PREFIXES[unit]);
}

} // namespace gpuexec
