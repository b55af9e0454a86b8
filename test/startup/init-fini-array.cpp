// Constructors see what earlier ones made; a low-numbered destructor runs after the objects' (spec 6.3).
// RUN: %gpucc -O2 %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %gpucc -O0 %s -o %t
// RUN: %run %t | FileCheck %s
// CHECK: main
// CHECK-NEXT: object destroyed
// CHECK-NEXT: last destructor
#include <assert.h>
#include <stdio.h>

static int initial = 7, from_default, from_low, destroyed;

struct Table {
  int values[1024];
  Table() {
    for (int i = 0; i < 1024; i++)
      values[i] = i * initial;
  }
  ~Table() {
    for (int i = 0; i < 1024; i++)
      assert(values[i] == i * initial);
    destroyed = 1;
    puts("object destroyed");
  }
};
Table table;

__attribute__((constructor(101))) static void low() { from_low = 23; }
__attribute__((constructor(65535))) static void high() { assert(from_low == 23); from_low = 42; }
__attribute__((constructor)) static void plain() { from_default = 11; }
__attribute__((destructor(101))) static void last() {
  assert(destroyed);
  puts("last destructor");
}

int main() {
  assert(from_low == 42 && from_default == 11);
  for (int i = 0; i < 1024; i++)
    assert(table.values[i] == i * 7);
  puts("main");
}
