#include <stdio.h>
#include <string.h>
#include <zlib.h>
int main(void) {
  static unsigned char text[5000], packed[6000], again[5000];
  for (int i = 0; i < 5000; i++)
    text[i] = "the quick brown fox "[i * i % 20];
  uLongf size = sizeof packed, length = sizeof again;
  int a = compress2(packed, &size, text, sizeof text, 9), b = uncompress(again, &length, packed, size);
  printf("%s %d %d %lu %d %08lx\n", zlibVersion(), a, b, size, memcmp(text, again, 5000), crc32(0, packed, size));
  return 0;
}
