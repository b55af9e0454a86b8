// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hash table of numbers, filled, looked up and emptied; a list that is spliced.
#include <cstdio>
#include <list>
#include <unordered_map>

int main() {
  std::unordered_map<unsigned, unsigned> table;
  unsigned seed = 5;
  unsigned long sum = 0;
  for (int i = 0; i < 30000; ++i) {
    seed = seed * 1664525 + 1013904223;
    unsigned key = seed >> 20;
    if (i % 4 == 3)
      sum += table.erase(key);
    else if (auto found = table.find(key); found != table.end())
      sum += found->second++;
    else
      table.emplace(key, i);
  }
  std::list<unsigned> low, high;
  for (const auto &[key, value] : table)
    (key % 2 ? low : high).push_back(value + key);
  low.sort();
  high.sort();
  low.merge(high);
  unsigned long place = 0;
  for (unsigned value : low)
    sum += ++place * value;
  std::printf("%lu\n", sum);
}
