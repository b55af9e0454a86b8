// What is done with a real NVIDIA image before it runs, against a driver that runs nothing: every constructor and
// destructor is looked up, the four bounds of the tables, the mailbox's client, the limits of the stack.
// REQUIRES: emulator
// RUN: rm -rf %t && mkdir -p %t && cd %t && %bin/gpucc --arch=sm_90 -O2 %s -o image
// RUN: export GPUEXEC_DEVICE=cuda LD_LIBRARY_PATH=%build/test/fake-cuda FAKE_CUDA_LOG=%t/calls FAKE_CUDA_ANY_GLOBAL=1
// No kernel runs, and the fake's memory is zero: so is the word that start-up code keeps about main's return.
// RUN: %bin/gpuexec --verbose image > output 2>&1; test $? -eq 125
// RUN: FileCheck %s < output
// CHECK: image: {{(CUDA cubin|PTX)}} for sm_90, on cuda:0
// CHECK: gpuexec: error: image: its memory is corrupt: '__gpuexec_main_returned' holds 0x00000000, which no start-up code wrote
// CHECK: start
// Three constructors, two destructors, four bounds, the client and its extensions, the limits.
// RUN: test $(sed '/cuLaunchKernel/,$d' calls | grep -c cuModuleGetGlobal) -eq 13
// RUN: test $(grep -c cuLaunchKernel calls) -eq 3
#include <stdio.h>

__attribute__((constructor(101))) static void first(void) { puts("first"); }
__attribute__((constructor(102))) static void second(void) { puts("second"); }
__attribute__((constructor)) static void third(void) { puts("third"); }
__attribute__((destructor(101))) static void last(void) { puts("last"); }
__attribute__((destructor)) static void before_last(void) { puts("before last"); }

int main(void) { puts("main"); }
