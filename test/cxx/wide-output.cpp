// std::wcout and std::cout write to one standard output, each what it is told, in this order.
// RUN: %hostcxx %s -o %t.host && %t.host > %t.expected
// RUN: %gpucxx -O1 %s -o %t && %run %t | diff %t.expected -
#include <iostream>

int main() {
  std::cout << "narrow " << 1 << std::endl;
  std::wcout << L"wide " << 2 << std::endl;
  std::cout << "narrow again " << 3.5 << std::endl;
}
