// REQUIRES: emulator
// Waves race for the position of a file: each seeks and then writes.
// RUN: rm -rf %t && mkdir %t && %gpucc -O1 %s -o %t/p && cd %t
// RUN: %python %inputs/reproduce.py "%run" --blocks 4 ./p file | FileCheck %s
// CHECK: 8 seeds: {{[2-8]}} different ends
// CHECK-NEXT: replayed 3 of 3
#include <fcntl.h>
#include <gpuintrin.h>
#include <stdio.h>
#include <unistd.h>

static volatile int shared = -1;
static unsigned done;

int main(int argc, char **argv) {
  const unsigned block = __gpu_block_id(0), blocks = __gpu_num_blocks(0);
  if (block == 0)
    shared = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0666);
  while (shared < 0)
    __gpu_thread_suspend();
  char text[4] = {'w', (char)('a' + block), '0', ';'};
  for (int i = 0; i < 4; ++i) {
    text[2] = (char)('0' + i);
    lseek(shared, 4 * (block + 4 * i), SEEK_SET);
    write(shared, text, sizeof text);
  }
  if (__atomic_add_fetch(&done, 1, __ATOMIC_ACQ_REL) < blocks)
    return 0;
  char all[80] = "";
  const ssize_t size = pread(shared, all, sizeof all - 1, 0);
  for (ssize_t i = 0; i < size; ++i)
    all[i] = all[i] ? all[i] : '_';
  puts(all);
  return 0;
}
