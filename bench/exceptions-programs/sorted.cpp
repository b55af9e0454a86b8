// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects behind unique_ptr in a vector, sorted by their key.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

struct Item {
  unsigned key, weight;
};

int main() {
  std::vector<std::unique_ptr<Item>> items;
  unsigned seed = 1;
  for (unsigned i = 0; i < 20000; ++i) {
    seed = seed * 1664525 + 1013904223;
    items.push_back(std::make_unique<Item>(Item{seed >> 8, i}));
  }
  std::sort(items.begin(), items.end(), [](const auto &a, const auto &b) { return a->key < b->key; });
  unsigned long sum = 0;
  for (unsigned i = 0; i < items.size(); ++i)
    sum += static_cast<unsigned long>(i) * items[i]->weight;
  std::printf("%lu\n", sum);
}
