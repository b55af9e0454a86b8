// A number with 17 digits and its neighbours: num_put formats it in variables of a size known only then, in a program all of whose own
// functions are inlined.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --levels=-O2
#include <cstdio>
#include <limits>
#include <sstream>

int main() {
  std::ostringstream text;
  text.precision(17);
  text << std::numeric_limits<double>::min() << ' ' << -0.1 << ' ' << 1e300;
  text.width(40);
  text << 2.5;
  puts(text.str().c_str());
}
