// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factorials and powers in a class of large whole numbers.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

class Number {
  std::vector<uint32_t> parts; // base 10^9, the least first

public:
  explicit Number(uint32_t value) : parts(1, value) {}
  Number operator*(const Number &other) const {
    Number result(0);
    result.parts.assign(parts.size() + other.parts.size(), 0);
    for (size_t i = 0; i < parts.size(); ++i) {
      uint64_t carry = 0;
      for (size_t j = 0; j < other.parts.size() || carry; ++j) {
        uint64_t sum = result.parts[i + j] + carry;
        if (j < other.parts.size())
          sum += static_cast<uint64_t>(parts[i]) * other.parts[j];
        result.parts[i + j] = sum % 1000000000;
        carry = sum / 1000000000;
      }
    }
    while (result.parts.size() > 1 && result.parts.back() == 0)
      result.parts.pop_back();
    return result;
  }
  std::string text() const {
    std::string digits = std::to_string(parts.back());
    for (size_t i = parts.size() - 1; i-- > 0;) {
      std::string part = std::to_string(parts[i]);
      digits += std::string(9 - part.size(), '0') + part;
    }
    return digits;
  }
};

int main() {
  Number factorial(1), power(7);
  for (uint32_t i = 2; i <= 500; ++i)
    factorial = factorial * Number(i);
  for (int i = 0; i < 8; ++i)
    power = power * power;
  std::string digits = (factorial * power).text();
  unsigned long sum = 0;
  for (char digit : digits)
    sum = sum * 31 + digit;
  std::printf("%zu %lu\n", digits.size(), sum);
}
