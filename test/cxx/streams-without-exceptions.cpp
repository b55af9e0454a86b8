// Operators of streams one behind another, in a program without handlers that is inlined into one function: each returns its stream, or
// null when an exception passes. LLVM's attributor took the result of one for null.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --levels=-O2 --flags=-fno-exceptions
#include <cstdio>
#include <sstream>
#include <string>

int main() {
  unsigned long sum = 0;
  for (int round = 0; round < 2; ++round) {
    std::ostringstream out;
    for (int i = 0; i < 2; ++i)
      out << "item" << i * round << ' ' << i % 3 << '\n';
    std::istringstream in(out.str());
    std::string name;
    in >> name;
    sum += name.size();
  }
  std::printf("%lu\n", sum);
}
