#include <stdio.h>
#include <string.h>
#include <zstd.h>
int main(void) {
  static char text[5000], packed[6000], again[5000];
  for (int i = 0; i < 5000; i++)
    text[i] = "the quick brown fox "[i * i % 20];
  size_t size = ZSTD_compress(packed, sizeof packed, text, sizeof text, 3), length = ZSTD_decompress(again, sizeof again, packed, size);
  unsigned sum = 0;
  for (unsigned i = 0; i < size; i++)
    sum = sum * 31 + packed[i];
  printf("%s %zu %zu %d %u\n", ZSTD_versionString(), size, length, memcmp(text, again, 5000), sum);
  return 0;
}
