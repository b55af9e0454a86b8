#include <lzma.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  static uint8_t text[5000], packed[6000], again[5000];
  for (int i = 0; i < 5000; i++)
    text[i] = "the quick brown fox "[i * i % 20];
  size_t size = 0, in = 0, length = 0;
  uint64_t limit = UINT64_MAX;
  int a = lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, text, sizeof text, packed, &size, sizeof packed);
  int b = lzma_stream_buffer_decode(&limit, 0, NULL, packed, &in, size, again, &length, sizeof again);
  printf("%s %d %d %zu %d %016llx\n", lzma_version_string(), a, b, size, memcmp(text, again, 5000), (unsigned long long)lzma_crc64(packed, size, 0));
  return 0;
}
