// --kernel launches kernels without arguments in place of _start; constructors and destructors run around them.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run --threads 3 --blocks 2 --kernel one --kernel=two %t | FileCheck %s
// CHECK: constructed
// CHECK-NEXT: one of 6
// CHECK-NEXT: two of 6
// CHECK-NEXT: destructed
// CHECK-NOT: main
// RUN: %run --kernel three %t 2> %t.err; test $? -eq 126; FileCheck %s --check-prefix=NONE < %t.err
// NONE: error: {{.*}}: no kernel 'three'
// RUN: %run --kernel takes %t 2> %t.err; test $? -eq 126; FileCheck %s --check-prefix=TAKES < %t.err
// TAKES: kernel 'takes' takes 8 bytes of arguments: only kernels without any can be named
#include <gpuintrin.h>
#include <stdio.h>

static unsigned count;

__attribute__((constructor)) static void before(void) { puts("constructed"); }
__attribute__((destructor)) static void after(void) { puts("destructed"); }

static void say(const char *name, unsigned last) {
  if (__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) == last)
    printf("%s of 6\n", name);
}

__gpu_kernel void one(void) { say("one", 6); }
__gpu_kernel void two(void) { say("two", 12); }
__gpu_kernel void takes(long value) { count = (unsigned)value; }

int main(void) { puts("main"); }
