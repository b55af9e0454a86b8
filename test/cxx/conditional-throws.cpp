// Conditional expressions one of whose operands throws, allocates, or makes an object with a destructor.
// RUN: %hostcxx -std=c++17 %s -o %t.host && %t.host > %t.expected
// RUN: %gpucxx -std=c++17 -O0 %s -o %t.0 && %run %t.0 | diff %t.expected -
// RUN: %gpucxx -std=c++17 -O2 %s -o %t.2 && %run %t.2 | diff %t.expected -
// RUN: %gpucxx -fopenmp -std=c++17 -O0 %s -o %t.openmp && %run %t.openmp | diff %t.expected -
#include <cstdio>
#include <string>
#include <utility>

struct Problem {
  std::string text;
  explicit Problem(const char *text) : text(text) {}
};

struct Part {
  int number;
  explicit Part(int number) : number(number) {}
  Part(Part &&other) : number(std::exchange(other.number, -1)) {}
  ~Part() { printf("~%d ", number); }
};
static Part make(int number) { return Part(number * 10); }

static int checked(int number) { return number > 0 ? number : throw Problem("not above 0"); }
static Part *made_if(bool wanted) { return wanted ? new Part(make(4)) : nullptr; }
static std::string named(int number) { return number ? std::string("one ") + std::to_string(number) : "none"; }
static int sum(const Part &a, const Part &b) { return a.number + b.number; }

int main(int argc, char **) {
  for (int number = 0; number < 3; ++number) {
    try {
      printf("%d ", checked(number));
    } catch (const Problem &problem) {
      printf("%s ", problem.text.c_str());
    }
    printf("%s ", named(number).c_str());
    printf("%d\n", number % 2 ? sum(make(1), Part(2)) : sum(Part(3), number ? make(5) : Part(6)));
  }
  for (bool wanted : {false, true}) {
    Part *part = made_if(wanted);
    printf("%d\n", part ? part->number : 0);
    delete part;
  }
  const Part kept[] = {Part(argc), argc > 5 ? make(1) : Part(8)};
  printf("%d\n", kept[1].number);
}
