// C++'s thread_local, with constructors that run when a thread first uses the variable, in this file and in another.
// RUN: %hostcxx -DOTHER -c %s -o %t.other.o
// RUN: %hostcxx %s %t.other.o -o %t.host
// RUN: %gpucc %lanes -x c++ -O2 -DOTHER -c %s -o %t.o
// RUN: %gpucc %lanes -x c++ -O2 -c %s -o %t.main.o
// RUN: %gpucc %lanes %t.main.o %t.o -o %t
// RUN: %t.host > %t.expected
// RUN: %run %t | diff %t.expected -
// RUN: %run --threads 128 --blocks 2 %t | sort | uniq -c | awk '$1 != 256 { exit 1 }'
#include <stdio.h>
#ifdef OTHER
static int start() { return 7; }
thread_local int elsewhere = start();
#else
extern thread_local int elsewhere;
namespace {
struct Counter {
  int value;
  Counter() : value(42) {}
  int next() { return ++value; }
};
thread_local Counter counter;
} // namespace
int main() {
  counter.next();
  ++elsewhere;
  printf("%d %d\n", counter.next(), elsewhere);
  return 0;
}
#endif
