// --timeout and signals end an endless kernel at once and leave nothing behind.
// RUN: %gpucc %lanes -O2 -g %s -o %t
// The first run translates PTX, which may take longer than the limits below:
// RUN: %if emulated-nvptx %{ not %gpuexec --timeout 15 %t %}
// RUN: %python %inputs/end_from_outside.py timeout %gpuexec --timeout 2 %t
// RUN: %python %inputs/end_from_outside.py timeout %gpuexec --timeout 2 --threads 256 --blocks 8 %t
// RUN: %python %inputs/end_from_outside.py SIGINT %gpuexec %t
// RUN: %python %inputs/end_from_outside.py SIGINT %gpuexec --threads 256 --blocks 8 %t
// RUN: %python %inputs/end_from_outside.py SIGTERM %gpuexec %t
// RUN: %python %inputs/end_from_outside.py SIGHUP %gpuexec %t
#include <gpuintrin.h>
#include <stdio.h>

volatile int never;

int main(void) {
  if (__gpu_thread_id(0) == 0 && __gpu_block_id(0) == 0) {
    puts("started");
    fflush(stdout);
  }
  while (!never)
    ;
  return 0;
}
