// argv[0] is the image's path as it was given; '-' for standard input.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %gpucc %s -o %t/image
// RUN: %run %t/image | FileCheck %s -DPATH=%t/image
// RUN: %run ./image | FileCheck %s -DPATH=./image
// RUN: %run - < image | FileCheck %s -DPATH=-
// CHECK: argv[0]=[[PATH]]{{$}}
#include <stdio.h>

int main(int argc, char **argv) {
  printf("argv[0]=%s\n", argv[0]);
  return 0;
}
