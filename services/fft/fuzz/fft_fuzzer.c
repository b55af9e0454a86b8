//===-- services/fft/fuzz/fft_fuzzer.c - A hostile program against the service ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each input is one request, mostly with small sizes. FFTW gets memory that
// ends where a page begins that nobody may write.
//===----------------------------------------------------------------------===//
#include "services/common/fuzz/program.h"
#include "services/fft/request.h"
#include <string.h>

void fuzz_fill(void *memory, size_t size, uint64_t address) {
  (void)address;
  memset(memory, 0x3f, size);
}

/// A number below `limit`, or now and then any.
static uint64_t next_number(unsigned limit) {
  const uint8_t byte = fuzz_next_byte();
  const uint64_t odd[] = {0, UINT64_MAX, INT32_MAX, UINT64_C(1) << 32,
                          1u << 30};
  return byte > 250 ? odd[byte - 251] : byte % limit;
}

static uint64_t next_address(void) {
  const uint8_t byte = fuzz_next_byte();
  return byte % 16 == 0 ? 0 : byte % 2 ? FUZZ_VISIBLE : FUZZ_LAST;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static unsigned requests;
  if (++requests % 500 == 0) // FFTW's plans take memory
    fuzz_close();
  fuzz_begin(data, size);
  fft_request sent;
  memset(&sent, 0, sizeof sent);
  sent.header = (fft_header){
      .kind = next_number(3),
      .is_single = next_number(2),
      .only_plan = fuzz_next_byte() % 8 == 0,
      .rank = 1 + next_number(3),
      .count = fuzz_next_byte() % 5u, // many in one place take long
      .sign = fuzz_next_byte() % 8 ? 1 : -1,
      .flags = next_number(128) | (fuzz_next_byte() % 8 ? 64 : 0),
      .input = next_address(),
      .output = next_address(),
      .input_stride = next_number(4),
      .input_distance = next_number(100),
      .output_stride = next_number(4),
      .output_distance = next_number(100)};
  for (unsigned i = 0; i < FFT_DIMENSIONS; ++i)
    sent.dimensions[i] =
        (fft_dimension){next_number(20), next_number(20), next_number(20)};
  const uint64_t rank =
      sent.header.rank <= FFT_DIMENSIONS ? sent.header.rank : 1;
  fuzz_send(FFT_OPCODE, &sent,
            sizeof sent.header + rank * sizeof *sent.dimensions);
  return 0;
}
