// Constructors run by ascending priority over all translation units, destructors by descending, around main.
// RUN: split-file %s %t
// RUN: %gpucc -O2 %t/main.c %t/other.c %t/third.c -o %t/program
// RUN: %run %t/program | FileCheck %t/main.c

//--- main.c
// CHECK:      constructor 101
// CHECK-NEXT: constructor 102
// CHECK-NEXT: constructor 500
// CHECK-NEXT: constructor 1000
// CHECK-NEXT: constructor 65000
// CHECK-NEXT: constructor default
// CHECK-NEXT: main
// CHECK-NEXT: atexit
// CHECK-NEXT: destructor default
// CHECK-NEXT: destructor 65000
// CHECK-NEXT: destructor 1000
// CHECK-NEXT: destructor 500
// CHECK-NEXT: destructor 102
// CHECK-NEXT: destructor 101
// CHECK-NOT: {{.}}
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor(1000))) static void first(void) { puts("constructor 1000"); }
__attribute__((destructor(1000))) static void last(void) { puts("destructor 1000"); }
__attribute__((constructor(102))) static void second(void) { puts("constructor 102"); }
__attribute__((destructor(102))) static void second_last(void) { puts("destructor 102"); }
static void handler(void) { puts("atexit"); }
int main(void) {
  puts("main");
  atexit(handler);
  return 0;
}
//--- other.c
#include <stdio.h>
__attribute__((constructor)) static void plain(void) { puts("constructor default"); }
__attribute__((destructor)) static void plain_end(void) { puts("destructor default"); }
__attribute__((constructor(101))) static void low(void) { puts("constructor 101"); }
__attribute__((destructor(101))) static void low_end(void) { puts("destructor 101"); }
//--- third.c
#include <stdio.h>
__attribute__((constructor(65000))) static void high(void) { puts("constructor 65000"); }
__attribute__((destructor(65000))) static void high_end(void) { puts("destructor 65000"); }
__attribute__((constructor(500))) static void middle(void) { puts("constructor 500"); }
__attribute__((destructor(500))) static void middle_end(void) { puts("destructor 500"); }
