// REQUIRES: emulator
// Waves of a grid count without an atomic operation: what comes of it depends on the schedule. A recorded schedule is repeated,
// whatever executes the code: the interpreter, compiled code, code that counts or checks.
// RUN: %gpucc -O1 %s -o %t
// RUN: %python %inputs/reproduce.py "%run" --times=5 --with= --with=--stats --with=--check=uninit --with=GPUEXEC_EMULATOR_JIT=off \
// RUN:   --with=GPUEXEC_EMULATOR_LEVEL=v2 --blocks 12 %t | FileCheck %s
// RUN: %python %inputs/reproduce.py "%run" --times=2 --seeds=3 --threads 64 --blocks 64 %t | FileCheck %s --check-prefix=MANY
// CHECK: 8 seeds: {{[2-8]}} different ends
// CHECK-NEXT: replayed 5 of 5
// MANY: 3 seeds: {{[23]}} different ends
// MANY-NEXT: replayed 2 of 2
#include <gpuintrin.h>
#include <unistd.h>

static volatile unsigned counter;
static unsigned arrived;

int main(void) {
  for (int i = 0; i < 40; ++i)
    counter = counter + 1;
  const unsigned threads = __gpu_num_threads(0) * __gpu_num_blocks(0);
  if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) < threads)
    return 0;
  char digits[12] = "";
  int at = 11;
  digits[--at] = '\n';
  for (unsigned left = counter; at && left; left /= 10)
    digits[--at] = (char)('0' + left % 10);
  write(1, digits + at, 11 - at);
  return 0;
}
