// _BitInt of more than 128 bits, as on x86-64: arithmetic, shifts, conversions, arguments and members.
// RUN: %hostcc -std=gnu17 %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -O0 -std=gnu17 -w %s -o %t && %run %t > %t.out && diff %t.expected %t.out
// RUN: %gpucc -O2 -std=gnu17 -w %s -o %t && %run %t > %t.out && diff %t.expected %t.out
#include <stdio.h>

typedef unsigned _BitInt(300) wide;
typedef _BitInt(300) signed_wide;
typedef unsigned _BitInt(77) odd;

__attribute__((noinline)) static void show(wide x) {
  char digits[100];
  int count = 0;
  do
    digits[count++] = (char)('0' + (int)(x % 10));
  while (x /= 10);
  while (count)
    putchar(digits[--count]);
  putchar('\n');
}

struct pair {
  wide first;
  signed_wide second;
};
__attribute__((noinline)) static struct pair divide(struct pair of) {
  return (struct pair){of.first / 1234567891011, of.second % -1000003};
}

int main(int argc, char **argv) {
  (void)argv;
  wide a = (wide)argc * 123456789;
  for (int i = 0; i < 5; ++i)
    a *= a + i;
  const wide b = a >> 37;
  show(a);
  show(b);
  show(a / b);
  show(a % (b + 1));
  show(a ^ b << 11);
  const signed_wide s = -(signed_wide)(a >> 1);
  show((wide)(s / 7));
  show((wide)(s % 1000003 + 2000003));
  show((odd)a);
  const struct pair p = divide((struct pair){a, s});
  show(p.first);
  show(-(wide)p.second);
  printf("%g %g\n", (double)a, (double)s);
  show((wide)1e60);
  const signed_wide f = (signed_wide)-1e40;
  printf("%d %d %d\n", f < 0, f == -(signed_wide)1e40, (int)sizeof(struct pair));
}
