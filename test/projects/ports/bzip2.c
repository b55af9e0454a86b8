#include <bzlib.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  static char text[5000], packed[6000], again[5000];
  for (int i = 0; i < 5000; i++)
    text[i] = "the quick brown fox "[i * i % 20];
  unsigned size = sizeof packed, length = sizeof again, sum = 0;
  int a = BZ2_bzBuffToBuffCompress(packed, &size, text, sizeof text, 1, 0, 0), b = BZ2_bzBuffToBuffDecompress(again, &length, packed, size, 0, 0);
  for (unsigned i = 0; i < size; i++)
    sum = sum * 31 + packed[i];
  printf("%s %d %d %u %d %u\n", BZ2_bzlibVersion(), a, b, size, memcmp(text, again, 5000), sum);
  return 0;
}
