// istream::ignore() with a number alone, which libstdc++ has as a function of its own.
// RUN: %hostcxx %s -o %t.host && %t.host > %t.expected
// RUN: %gpucxx -O1 %s -o %t && %run %t | diff %t.expected -
#include <cstdio>
#include <sstream>
#include <string>

int main() {
  std::istringstream narrow("abcdef gh");
  std::string word;
  narrow.ignore(3);
  narrow >> word;
  printf("%s\n", word.c_str());
  narrow.ignore(100, 'h');
  printf("%d %d\n", int(narrow.eof()), int(narrow.gcount()));
  std::wistringstream wide(L"xyz");
  wide.ignore(2);
  printf("%c\n", int(wide.get()));
}
