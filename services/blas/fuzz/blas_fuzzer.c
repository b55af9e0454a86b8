//===-- services/blas/fuzz/blas_fuzzer.c - A hostile program against the service ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each input is one request. The words are mostly of the kind that the function
// takes, so that requests come as far as the library. All memory that the
// library gets ends where a page begins that nobody may write, and behind it
// one that nobody may read: OpenBLAS reads an element behind the last one here
// and there. The library must never find a wrong argument by itself: the
// reference's would end the process.
//===----------------------------------------------------------------------===//
#include "services/blas/host/functions.h"
#include "services/common/fuzz/program.h"
#include "services/common/packing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
  uint32_t function;
  const char *words; ///< a letter for each: see next_word()
} function_kinds;
static const function_kinds kinds[] = {
#include "blas_kinds.inc"
#include "lapack_kinds.inc"
};
static const function_kinds limit = {BLAS_LIMIT, "iia"};

//===-- What an input says ------------------------------------------------===//

/// What the program has at each of its addresses. Two of them have row numbers,
/// the other ones numbers that are finite: LAPACK's iterations end for
/// those alone.
enum {
  NUMBERS = FUZZ_VISIBLE,
  COPIED_NUMBERS = 0x2000,
  ROWS = 0x3000,
  SIGNED = FUZZ_LAST
};

void fuzz_fill(void *memory, size_t size, uint64_t address) {
  unsigned seed = fuzz_next_byte();
  for (size_t i = 0; i + 4 <= size; i += 4) {
    seed = seed * 1103515245u + 12345u;
    const int small = (int)(seed >> 16 & 7);
    const float number = (float)(small - 3) / 2;
    const int row = address == SIGNED ? small - 3 : small % 3 + 1;
    const int is_row = address == ROWS || address == SIGNED;
    memcpy((char *)memory + i, is_row ? (const void *)&row : &number, 4);
  }
}

static uint64_t next_word(char kind) {
  const uint8_t byte = fuzz_next_byte();
  if (byte > 250 && kind != 'n') { // numbers are finite
    const uint64_t odd[] = {0, UINT64_MAX, 0x7fffffff, 0x80000000, 0x40000001};
    return odd[byte - 251];
  }
  const double number = byte / 16.0 - 4;
  uint64_t word;
  switch (kind) {
  case 'o': // an order
    return (uint64_t)(byte % 2 ? BY_COLUMNS : BY_ROWS);
  case 'q': // only a length?
    return byte % 8 == 0;
  case 'c': // an enumerator of CBLAS
    return 111 + byte % 4 * 10 + byte / 4 % 3;
  case 'l': // a letter
    return (uint64_t) "ULNTCVASORIMFEPQ1LB"[byte % 19];
  case 'i': // a dimension
    return byte % 7;
  case 's': // a leading dimension, an increment
    return (uint64_t)(int64_t)(byte < 16 ? byte - 8 : 5 + byte % 3);
  case 'a': // an address
    return byte % 16 ? (byte % 2 ? NUMBERS : COPIED_NUMBERS) : 0;
  case 'p': // an address of integers
    return byte % 16 ? (byte % 2 ? ROWS : SIGNED) : 0;
  default: // a number
    memcpy(&word, &number, sizeof word);
    return word;
  }
}

/// The function that the service calls, where it is LAPACK's.
static const char *called = "";

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  return 0;
}

/// The library's answer to an argument that the service should have refused.
/// What functions of the library find when they call each other is their own
/// affair.
__attribute__((visibility("default"))) void
xerbla_(const char *function, const int *place, size_t length);
void xerbla_(const char *function, const int *place, size_t length) {
  char name[16];
  snprintf(name, sizeof name, "%.*s_", (int)strcspn(function, " "), function);
  if (length > 8 || strcasecmp(name, called))
    return;
  fprintf(stderr, "%.*s: parameter %d was not refused\n", (int)length, function,
          *place);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_begin(data, size);
  unsigned number = fuzz_next_byte();
  number |= (unsigned)fuzz_next_byte() << 8;
  const function_kinds *chosen =
      number == UINT16_MAX ? &limit
                           : &kinds[number % (sizeof kinds / sizeof *kinds)];
  const int is_lapack = (chosen->function & BLAS_LAPACK) != 0;
  called =
      is_lapack ? lapack_functions[chosen->function - BLAS_LAPACK].name : "";
  struct {
    blas_header header;
    uint64_t words[PACKED_WORDS(BLAS_WORDS)];
  } sent = {{chosen->function, (uint32_t)strlen(chosen->words)}, {0}};
  uint64_t words[BLAS_WORDS];
  for (unsigned i = 0; i < sent.header.count; ++i)
    words[i] = next_word(chosen->words[i]);
  size_t bytes = sent.header.count * sizeof *words;
  const uint8_t how = fuzz_next_byte();
  if (how & 4) {
    bytes = sizeof *words * pack_words(words, sent.header.count, sent.words);
    sent.header.count |= BLAS_PACKED;
    if (how & 8) // and what the fuzzer thinks of
      for (size_t i = 0; i < bytes; ++i)
        ((uint8_t *)sent.words)[i] ^= fuzz_next_byte();
  } else {
    memcpy(sent.words, words, bytes);
  }
  fuzz_send(how % 4 ? BLAS_OPCODE : BLAS_SMALL_OPCODE, &sent,
            sizeof sent.header + bytes);
  return 0;
}
