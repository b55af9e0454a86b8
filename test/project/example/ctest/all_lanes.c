/* Every number, shared by all threads: there and back again. */
#include "../src/roman.h"
#include <gpuintrin.h>

int main(void) {
  char numeral[ROMAN_LONGEST];
  unsigned threads = __gpu_num_threads(0) * __gpu_num_blocks(0);
  unsigned me = __gpu_block_id(0) * __gpu_num_threads(0) + __gpu_thread_id(0);
  for (unsigned number = 1 + me; number < 4000; number += threads)
    if (!to_roman((int)number, numeral) || from_roman(numeral) != (int)number)
      return 1;
  return 0;
}
