// REQUIRES: emulator
// An integer divided by zero, and the least number by -1, end the program as on x86-64, and the report names the line.
// RUN: for level in 0 2; do %gpucc -g -O$level %s -o %t.$level && \
// RUN:   for what in int unsigned long rest least least-long lane library; do \
// RUN:     %run %t.$level $what > %t.out 2> %t.err; test $? -eq 136 && grep -q 'begin' %t.out && FileCheck %s --check-prefix=ERR < %t.err && \
// RUN:     grep -q "in main .*division-by-zero.c:$(grep -n "case_of(\"$what\")" %s | cut -d: -f1)" %t.err || { cat %t.err >&2; echo "failed: -O$level $what" >&2; exit 1; }; \
// RUN:   done; %run %t.$level none | grep -qx 'begin 3 1 -5 0 4294967295' || { echo "failed: -O$level none" >&2; exit 1; }; done
// ERR: device fault: integer division by zero, or of the least number by -1
// Of many lanes the report names the one that is wrong.
// RUN: %gpucc %lanes -g -O2 %s -o %t.lanes
// RUN: %run --threads 64 %t.lanes lane > %t.out 2> %t.err; test $? -eq 136; FileCheck %s --check-prefix=LANE < %t.err
// LANE: device fault: integer division by zero
// LANE-NEXT: thread (7,0,0){{$}}
// RUN: %gpucc -O2 --no-division-check %s -o %t.off
// RUN: %run %t.off int
// What cannot be zero is not tested.
// RUN: %gpucc -O2 -S -DSURE %s -o - | FileCheck %s --check-prefix=SURE
// SURE-NOT: s_trap
// SURE: maybe_zero:
// SURE: s_trap 2
// SURE-NEXT: s_nop
// SURE-NOT: s_trap
#ifdef SURE
unsigned by_constant(unsigned a) { return a / 10 + a % 7; }
int by_tested(int a, int b) { return b > 0 ? a / b : 0; }
unsigned by_compared(unsigned a, unsigned b) { return b ? a / b : 0; }
unsigned by_odd(unsigned a, unsigned b) { return a / (b | 1); }
unsigned maybe_zero(unsigned a, unsigned b) { return a / b + a % b; }
#else
#include <gpuintrin.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *wanted;
static int case_of(const char *name) { return !strcmp(wanted, name); }

int main(int argc, char **argv) {
  wanted = argv[1];
  if (__gpu_thread_id_x() == 0)
    printf("begin");
  volatile int ten = 10, zero = argc - 2, one = argc - 1, minus = 1 - argc, least = INT_MIN;
  volatile unsigned long large = 1ul << 40;
  volatile long least_long = LONG_MIN;
  volatile int result = 0;
  if (case_of("int")) result = ten / zero;
  if (case_of("unsigned")) result = (int)((unsigned)ten / (unsigned)zero);
  if (case_of("long")) result = (int)(large / (unsigned long)zero);
  if (case_of("rest")) result = ten % zero;
  if (case_of("least")) result = least / minus;
  if (case_of("least-long")) result = (int)(least_long / minus);
  if (case_of("lane")) result = ten / ((int)__gpu_thread_id_x() - (__gpu_num_threads_x() > 7 ? 7 : 0));
  if (case_of("library")) result = (div)(ten, zero).quot;
  if (__gpu_thread_id_x() == 0)
    printf(" %d %d %d %d %u\n", ten / 3, ten % (zero + 3), ten / (2 * minus), minus / ten, UINT_MAX / (unsigned)one);
  return 0;
}
#endif
