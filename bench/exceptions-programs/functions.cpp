// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chain of std::function objects, an optional and a variant: objects that are copied, moved and destroyed.
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

using Value = std::variant<long, std::string>;

static std::optional<Value> step(const Value &value, int i) {
  if (const long *number = std::get_if<long>(&value)) {
    if (i % 7 == 6)
      return std::to_string(*number % 100000);
    return *number * 3 + i;
  }
  const std::string &text = *std::get_if<std::string>(&value);
  if (i % 11 == 10)
    return std::nullopt;
  return static_cast<long>(text.size()) + (text[0] - '0');
}

int main() {
  std::vector<std::function<Value(Value)>> chain;
  for (int i = 0; i < 40; ++i)
    chain.emplace_back([i](Value value) { return step(value, i).value_or(value); });
  unsigned long sum = 0;
  for (long start = 0; start < 300; ++start) {
    Value value = start;
    for (const auto &part : chain)
      value = part(std::move(value));
    sum = sum * 31 + (value.index() == 0 ? static_cast<unsigned long>(std::get<0>(value)) : std::get<1>(value).size());
  }
  std::printf("%lu\n", sum);
}
