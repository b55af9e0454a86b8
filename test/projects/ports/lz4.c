#include <lz4.h>
#include <lz4hc.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  static char text[5000], packed[6000], again[5000];
  for (int i = 0; i < 5000; i++)
    text[i] = "the quick brown fox "[i * i % 20];
  int fast = LZ4_compress_default(text, packed, sizeof text, sizeof packed), high = LZ4_compress_HC(text, packed, sizeof text, sizeof packed, 9);
  int length = LZ4_decompress_safe(packed, again, high, sizeof again);
  printf("%s %d %d %d %d\n", LZ4_versionString(), fast, high, length, memcmp(text, again, 5000));
  return 0;
}
