// All headers of GCC's extensions and of TR1 compile, and some of what they have works as natively.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --levels=-O1
#include <bits/extc++.h>
#include <bits/stdtr1c++.h>
#include <cstdio>

int main() {
  __gnu_cxx::sfmt19937 engine(5);
  __gnu_cxx::triangular_distribution<double> triangle(1, 2, 4);
  __gnu_cxx::k_distribution<double> others(1, 2, 3);
  for (int i = 0; i < 5; ++i)
    printf("%.4f ", triangle(engine));
  printf("%lu %d\n", (unsigned long)engine(), others == __gnu_cxx::k_distribution<double>(1, 2, 3));
  __gnu_pbds::tree<int, const char *> map;
  map[3] = "three";
  map[1] = "one";
  for (const auto &entry : map)
    printf("%d %s ", entry.first, entry.second);
  __gnu_cxx::rope<char, std::allocator<char>> rope("a rope");
  rope += " is long";
  printf("%s %zu %.6f\n", rope.c_str(), rope.size(), std::tr1::cyl_bessel_j(0.0, 1.5));
}
