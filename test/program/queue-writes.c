// A program can read the queue that started it, its packet and its completion signal, and change none of them: it cannot
// start kernels, pass for finished while it runs, or send the host elsewhere. What was printed before is not lost.
// REQUIRES: emulator
// RUN: %gpucc -O1 %s -o %t
// RUN: for what in base size read write inactive doorbell packet slot atomic completion; do \
// RUN:   %run --timeout 60 %t $what > %t.out 2> %t.err; status=$?; echo "$what: $status"; cat %t.out %t.err; done | FileCheck %s
// RUN: %run %t none | FileCheck %s --check-prefix=NONE
// CHECK: base: 139
// CHECK-NEXT: before
// CHECK: write to read-only memory
// CHECK-NEXT: queue)
// CHECK: size: 139
// CHECK-NEXT: before
// CHECK: write to read-only memory
// CHECK-NEXT: queue)
// CHECK: read: 139
// CHECK-NEXT: before
// CHECK: write to read-only memory
// CHECK-NEXT: queue)
// CHECK: write: 139
// CHECK-NEXT: before
// CHECK: write to read-only memory
// CHECK-NEXT: queue)
// CHECK: inactive: 139
// CHECK-NEXT: before
// CHECK: write to read-only memory
// CHECK-NEXT: queue)
// CHECK: doorbell: 139
// CHECK-NEXT: before
// CHECK: write to read-only memory
// CHECK-NEXT: signals)
// CHECK: packet: 139
// CHECK-NEXT: before
// CHECK: write to read-only memory
// CHECK-NEXT: dispatch packets)
// CHECK: slot: 139
// CHECK-NEXT: before
// CHECK: write to read-only memory
// CHECK-NEXT: queue)
// CHECK: atomic: 139
// CHECK-NEXT: before
// CHECK: write to read-only memory
// CHECK-NEXT: signals)
// CHECK: completion: 139
// CHECK-NEXT: before
// CHECK: write to read-only memory
// CHECK-NEXT: signals)
// NONE: before
// NONE-NEXT: 64 packets
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// hsa_queue_t and hsa_kernel_dispatch_packet_t, in words of 64 bits.
enum { BASE = 1, DOORBELL = 2, SIZE = 3, WRITE_INDEX = 7, READ_INDEX = 16, INACTIVE = 24, COMPLETION = 7 };

int main(int argc, char **argv) {
  volatile uint64_t *queue = (volatile uint64_t *)__builtin_amdgcn_queue_ptr();
  volatile uint64_t *packet = (volatile uint64_t *)__builtin_amdgcn_dispatch_ptr();
  volatile uint64_t *completion = (volatile uint64_t *)(packet[COMPLETION] + 8);
  const char *what = argv[1];
  printf("before\n");
  if (!strcmp(what, "base"))
    queue[BASE] = 0x414141410000;
  else if (!strcmp(what, "size"))
    *(volatile uint32_t *)&queue[SIZE] = 0;
  else if (!strcmp(what, "read"))
    queue[READ_INDEX] = 0x7fffffff0;
  else if (!strcmp(what, "write"))
    queue[WRITE_INDEX] += 1;
  else if (!strcmp(what, "inactive"))
    queue[INACTIVE] = 0x4141414141414100;
  else if (!strcmp(what, "doorbell"))
    *(volatile uint64_t *)(queue[DOORBELL] + 8) = 1;
  else if (!strcmp(what, "packet"))
    packet[COMPLETION] = 0;
  else if (!strcmp(what, "slot")) // this kernel once more
    ((volatile uint64_t *)queue[BASE])[(queue[WRITE_INDEX] & 63) * 8] = packet[0];
  else if (!strcmp(what, "atomic"))
    __atomic_fetch_sub((uint64_t *)completion, 1, __ATOMIC_RELEASE);
  else if (!strcmp(what, "completion")) { // over, as far as the host could see
    *completion = 0;
    for (;;)
      ;
  }
  printf("%u packets\n", (unsigned)queue[SIZE]);
  return 0;
}
