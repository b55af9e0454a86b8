// A 64-bit OR of which one half is all ones: that half of the result is, too, and the other half is an OR.
// RUN: %hostcc -O2 %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 1 2; do %gpucc -O$level %s -o %t.$level && %run %t.$level | diff %t.expected - || { echo "failed: -O$level" >&2; exit 1; }; done
#include <stdint.h>
#include <stdio.h>

// Memory that a store may have changed: loads give vector registers, and the operations on them are those of scalar values.
static uint64_t value, other;
static uint32_t word;

#define OPERATION(name, result)                                                                                        \
  __attribute__((noinline)) static void name(void) {                                                                   \
    value = result;                                                                                                    \
    word = 1;                                                                                                          \
  }
OPERATION(not_word, value | ~(uint64_t)word)
OPERATION(not_condition, ~(uint64_t)(word == 0) | value)
OPERATION(not_upper_word, value | ~((uint64_t)word << 32))
OPERATION(not_short, value | ~(uint64_t)(uint16_t)word)
OPERATION(not_lower_bits, value | ~(other & 0xffff))
OPERATION(not_shifted_up, value | ~(other << 32))
OPERATION(not_shifted_down, value | ~(other >> 32))
OPERATION(constant_upper, value | 0xffffffff00000000)
OPERATION(constant_lower, value | 0xffffffff)
OPERATION(twice, (value | ~(uint64_t)word) | ~(other << 40))
OPERATION(and_not, value & ~(uint64_t)word)
OPERATION(xor_not, value ^ ~(uint64_t)word)

static void (*const operations[])(void) = {not_word,         not_condition,  not_upper_word, not_short,
                                           not_lower_bits,   not_shifted_up, not_shifted_down, constant_upper,
                                           constant_lower,   twice,          and_not,        xor_not};
static const uint64_t values[] = {0, 1, 0x123456789abcdef0, UINT64_MAX};
static const uint32_t words[] = {0, 1, 5, UINT32_MAX};

int main(void) {
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 4; ++j)
      for (unsigned k = 0; k < sizeof operations / sizeof *operations; ++k) {
        value = values[i];
        word = words[j];
        other = values[j];
        operations[k]();
        printf("%u %u %u: %016llx\n", k, i, j, (unsigned long long)value);
      }
  return 0;
}
