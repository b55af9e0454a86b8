// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines put together and taken apart by string streams.
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

int main() {
  unsigned long sum = 0;
  for (int round = 0; round < 400; ++round) {
    std::ostringstream out;
    for (int i = 0; i < 10; ++i)
      out << "item" << i * round << ' ' << i % 3 << '\n';
    std::istringstream in(out.str());
    std::vector<std::string> names;
    std::string name;
    for (int value; in >> name >> value; names.push_back(name))
      sum += value;
    for (const std::string &each : names)
      sum = sum * 31 + each.size();
  }
  std::printf("%lu\n", sum);
}
