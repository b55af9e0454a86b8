// A handler that no call reaches, since none in its try block throws, and that itself has calls that throw: at -O0 its code is still there.
// RUN: %hostcxx -std=c++17 %s -o %t.host && %t.host > %t.expected
// RUN: %gpucxx -std=c++17 -O0 %s -o %t.0 && %run %t.0 | diff %t.expected -
// RUN: %gpucxx -std=c++17 -O2 %s -o %t.2 && %run %t.2 | diff %t.expected -
#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

struct Quiet {
  int number;
  Quiet(int number) : number(number) {}
  ~Quiet() { printf("~%d ", number); }
};
static void nothing(int &number) { ++number; }
static void clean_up(int number) {
  if (number > 100)
    throw number;
}

static int work(int number) {
  try {
    Quiet quiet(number);
    nothing(quiet.number);
    return quiet.number;
  } catch (...) {
    clean_up(number);
    throw;
  }
}

int main() {
  printf("%d\n", work(3));
  try {
    clean_up(101);
  } catch (int number) {
    printf("caught %d\n", number);
  }
  std::unordered_map<int, std::vector<std::string>> lists;
  lists[3].push_back("three");
  lists[4];
  std::map<std::string, int> counts;
  ++counts["a"];
  printf("%zu %zu %d\n", lists.size(), lists[3].size(), counts["a"]);
}
