// --stats counts the same whoever executes the program: the interpreter, the baseline compiler, LLVM or all of them in turn. The
// program makes no calls of the host: a wave that waits for an answer looks for it as often as the time allows.
// REQUIRES: emulator
// RUN: %gpucc -O2 %s -o %t
// RUN: for threads in 1 5 130; do for jit in off baseline eager on; do \
// RUN:   env GPUEXEC_EMULATOR_JIT=$jit %run --threads=$threads --stats --stats-json=%t.$jit.json %t 4 2>&1 | sed 's/[0-9.]* ms$//; /^  speed /d' > %t.$jit && \
// RUN:   grep -v '"seconds"\|per_second' %t.$jit.json > %t.$jit.counts && cmp %t.off %t.$jit && cmp %t.off.counts %t.$jit.counts || \
// RUN:   { echo "threads=$threads jit=$jit" >&2; exit 1; }; done; done
// RUN: FileCheck %s < %t.off
// CHECK: kernel _start
// CHECK: coalescing {{.*}}cache lines in
// CHECK: region collatz:
#include <gpuexec.h>
#include <stdint.h>

#define NOT_INLINED __attribute__((noinline))

static uint32_t table[4096];
static unsigned char bytes[8192];
static struct __attribute__((packed)) Odd {
  char c;
  uint64_t v;
} odd[600]; // accesses that cross a cache line

static uint32_t collatz(uint32_t n) {
  uint32_t steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}

// Global memory, the stack or neither: a flat address.
static NOT_INLINED uint32_t sum_of(const volatile uint32_t *words, unsigned count) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < count; i++)
    sum += words[i];
  return sum;
}

static uint32_t work(uint32_t thread, unsigned round) {
  uint32_t sum = 0, local[16];
  for (uint32_t i = thread % 64; i < 512; i += 64) {
    gpuexec_roi_begin("collatz");
    sum += collatz(i + 1);
    gpuexec_roi_end("collatz");
    table[i * 37 % 4096] = i;
    __atomic_fetch_add(&table[i % 7], 1, __ATOMIC_RELAXED);
    bytes[i * 3]++;
    odd[i].v += i;
    sum += (uint32_t)odd[i].v;
  }
  for (int i = 0; i < 16; i++)
    local[i] = i * round;
  sum += sum_of(local, 16) + (sum_of(table + 100, round % 5) & 1);
  if ((thread ^ round) % 3 == 0)
    sum += bytes[thread & 7];
  return sum;
}

int main(int argc, char **argv) {
  const unsigned rounds = (unsigned)(argv[argc - 1][0] - '0') * 50, thread = __builtin_amdgcn_workitem_id_x();
  uint32_t sum = 0;
  for (unsigned round = 0; round < rounds; round++)
    sum += work(thread, round);
  return sum == 12345;
}
