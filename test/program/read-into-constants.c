// The host writes for a program only where the program itself may write: read() and fread() into constants, code, kernel
// arguments, queues and signals fail with EFAULT, and so do ranges that are not the device's or end elsewhere. Nothing
// is taken from the file.
// REQUIRES: emulator
// RUN: %gpucc -O1 %s -o %t
// RUN: head -c 65536 /dev/zero | tr "\\0" x > %t.in
// RUN: %run %t < %t.in | FileCheck %s
// CHECK: constants: -1 EFAULT, stream: 0 EFAULT
// CHECK-NEXT: constants' last words: -1 EFAULT{{$}}
// CHECK-NEXT: code: -1 EFAULT{{$}}
// CHECK-NEXT: arguments: -1 EFAULT{{$}}
// CHECK-NEXT: packet: -1 EFAULT{{$}}
// CHECK-NEXT: queue: -1 EFAULT{{$}}
// CHECK-NEXT: signal: -1 EFAULT{{$}}
// CHECK-NEXT: nothing: -1 EFAULT{{$}}
// CHECK-NEXT: above all addresses: -1 EFAULT{{$}}
// CHECK-NEXT: wrapping: -1 EFAULT{{$}}
// CHECK-NEXT: far too long: -1 EFAULT, stream: 0 EFAULT
// CHECK-NEXT: unchanged: 1 2 3 0
// CHECK-NEXT: then: 65536
// CHECK-NEXT: writing nothing's bytes: -1 EFAULT
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 65536 };
__attribute__((aligned(4096))) static const char table[SIZE + 100] = {1, 2, 3};
static char buffer[SIZE];

static void try(const char *what, uint64_t address, size_t size) {
  long got = read(0, (void *)address, size);
  const char *error = got >= 0 ? "" : errno == EFAULT ? " EFAULT" : " another error";
  printf("%s: %ld%s", what, got, error);
  if (size >= SIZE) { // less comes through the stream's buffer, from which the program copies itself
    size_t taken = fread((void *)address, 1, size, stdin);
    printf(", stream: %zu%s", taken, errno == EFAULT ? " EFAULT" : "");
    clearerr(stdin);
  }
  putchar('\n');
}

int main(void) {
  const uint64_t *packet = (const uint64_t *)__builtin_amdgcn_dispatch_ptr();
  uint64_t start = (uint64_t)&table;
  setvbuf(stdin, 0, _IONBF, 0);
  try("constants", start, SIZE);
  try("constants' last words", start + SIZE - 8192, 8292);
  try("code", (uint64_t)&main & -64, 8192);
  try("arguments", packet[5], 8192);
  try("packet", (uint64_t)packet, 8192);
  try("queue", (uint64_t)__builtin_amdgcn_queue_ptr(), 8192);
  try("signal", packet[7], 8192);
  try("nothing", 0x123456789000, 8192);
  try("above all addresses", 0xffff800000000000, 8192);
  try("wrapping", UINT64_MAX - 100, 8192);
  try("far too long", (uint64_t)&buffer, (size_t)1 << 40);
  printf("unchanged: %d %d %d %d\n", *(volatile const char *)&table[0], table[1], table[2],
         *(volatile const char *)&table[SIZE - 1]);
  long got, all = 0;
  while ((got = read(0, buffer + all, sizeof(buffer) - all)) > 0)
    all += got;
  printf("then: %ld\n", all);
  fflush(stdout);
  got = write(1, (void *)0x123456789000, 8192);
  printf("writing nothing's bytes: %ld%s\n", got, errno == EFAULT ? " EFAULT" : "");
  return 0;
}
