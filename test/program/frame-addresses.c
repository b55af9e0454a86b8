// __builtin_frame_address(0) is an address within the function's frame: near its local variables, the same twice, another in each
// activation of a recursion and in its direction. Frame and return addresses of callers are null, and the compiler says so.
// RUN: %gpucc %lanes -O0 %s -o %t.0 2> %t.0.warnings
// RUN: FileCheck %s --check-prefixes=WARNING < %t.0.warnings
// RUN: %run %t.0
// RUN: %gpucc %lanes -O2 -g %s -o %t.2 2> %t.2.warnings
// RUN: FileCheck %s --check-prefixes=WARNING,PLACE < %t.2.warnings
// RUN: %run %t.2
// RUN: %run --threads 128 %t.2
// WARNING-DAG: warning: {{.*}}frame-addresses.c{{.*}}: callers_frame(): __builtin_frame_address of a calling function is null
// PLACE-DAG: frame-addresses.c:{{[0-9]+}}: return_addresses(): __builtin_return_address of a calling function is null
// WARNING-NOT: frames():
#include "../Inputs/expect.h"
#include <stdint.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static NOINLINE void *callers_frame(void) { return __builtin_frame_address(1); }

// A loop, a choice and arithmetic with frame addresses.
static NOINLINE uintptr_t computed(int n) {
  const char *frame = n ? __builtin_frame_address(0) : (const char *)__builtin_frame_address(0) + 1;
  for (int i = 0; i < n; ++i)
    frame = i % 2 ? (const char *)__builtin_frame_address(0) + i : frame + 1;
  return (uintptr_t)frame - (uintptr_t)__builtin_frame_address(0);
}

static NOINLINE int return_addresses(void *addresses[3]) {
  addresses[0] = __builtin_extract_return_addr(__builtin_return_address(0)); // may be null
  addresses[1] = __builtin_return_address(1);
  addresses[2] = __builtin_return_address(2);
  return 0;
}

// Failed expectations. The frames of `depth` activations lie in one direction.
static NOINLINE int frames(int depth, const char *above, int direction) {
  volatile char local = (char)depth;
  const char *frame = __builtin_frame_address(0);
  int failed = 0;
  failed += !EXPECT(frame == __builtin_frame_address(0), "depth %d: another address", depth);
  failed += !EXPECT(labs((long)((const char *)&local - frame)) < 4096, "depth %d: %p is not near %p", depth, (void *)frame, (void *)&local);
  int here = above ? (frame > above) - (frame < above) : 0;
  failed += !EXPECT(!above || here, "depth %d: the caller's frame", depth);
  failed += !EXPECT(!direction || here == direction, "depth %d: direction %d, was %d", depth, here, direction);
  return depth ? failed + frames(depth - 1, frame, here) : failed;
}

int main(void) {
  void *addresses[3];
  int failed = return_addresses(addresses) + frames(5, 0, 0);
  failed += !EXPECT(!callers_frame(), "frame address of a caller: %p", callers_frame());
  failed += !EXPECT(!addresses[1] && !addresses[2], "return addresses of callers: %p %p", addresses[1], addresses[2]);
  failed += !EXPECT(computed(0) == 1 && computed(4) == 3, "%zu %zu", computed(0), computed(4));
  return failed != 0;
}
