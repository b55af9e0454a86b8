// An exception ends the program where it is thrown, with its type's name.
// RUN: %gpucxx -O2 %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run %t x > %t.out 2>&1; test $? = 134
// RUN: FileCheck --check-prefix=THROWN %s < %t.out
// CHECK: nothing thrown
// THROWN: terminate called after throwing an instance of 'Problem'
#include <cstdio>

struct Problem {
  int number;
};
struct Cleanup {
  ~Cleanup() { puts("cleaned up"); }
};

int main(int argc, char **) {
  Cleanup cleanup;
  try {
    if (argc > 1)
      throw Problem{argc};
    puts("nothing thrown");
  } catch (const Problem &problem) {
    return problem.number;
  }
}
