// Conversions between integers of 128 bits and floating types, both ways, at the bounds and rounded.
// RUN: %hostcc -O2 %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 2; do %gpucc -O$level %s -o %t.$level && %run %t.$level | diff %t.expected - || { echo "failed: -O$level" >&2; exit 1; }; done
#include <stdio.h>

typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;

static void print(unsigned_wide value) { printf(" %016llx%016llx", (unsigned long long)(value >> 64), (unsigned long long)value); }

// `low` is seen only at run time.
static void convert(volatile unsigned long *low) {
  for (int shift = 0; shift < 127; shift += 9)
    for (int sign = 0; sign < 2; ++sign) {
      const wide magnitude = (wide)*low << 64 >> (127 - shift), value = sign ? -magnitude : magnitude;
      const double number = (double)value;
      const float narrow = (float)value;
      printf("%d: %a %a %a", shift, number, narrow, (double)(unsigned_wide)magnitude);
      print((unsigned_wide)(wide)number);
      print((unsigned_wide)(wide)narrow);
      if (!sign) {
        print((unsigned_wide)number);
        print((unsigned_wide)narrow);
      }
      putchar('\n');
    }
}

int main(void) {
  volatile unsigned long numbers[] = {0x7ffffffffffffffful, 0x4000000000000001ul, 0x123456789abcdef0ul, 1};
  for (int i = 0; i < 4; ++i)
    convert(&numbers[i]);
  return 0;
}
