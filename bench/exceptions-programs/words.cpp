// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of a made-up text, counted in a map of strings.
#include <cstdio>
#include <map>
#include <string>

int main() {
  std::map<std::string, int> counts;
  unsigned seed = 7;
  for (int i = 0; i < 20000; ++i) {
    std::string word;
    seed = seed * 1664525 + 1013904223;
    for (unsigned n = seed >> 12 & 4095; n; n /= 5)
      word += static_cast<char>('a' + n % 5);
    ++counts[word];
  }
  unsigned long sum = 0, place = 0;
  for (const auto &[word, count] : counts)
    sum += ++place * count + word.size();
  std::printf("%lu\n", sum);
}
