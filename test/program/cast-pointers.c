// Words at addresses that are no multiples of their size: C gives them no meaning, and x86-64's and AMD's processors read and write them.
// RUN: %hostcc -O1 %s -o %t.host && %t.host 1 > %t.expected
// RUN: for level in 1 2 3; do %gpucc -O$level %s -o %t && %run %t 1 | diff %t.expected - || { echo "failed: -O$level" >&2; exit 1; }; done
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
  uint16_t kind;
  uint32_t length;
  double value;
};
struct cursor {
  const unsigned char *next, *end;
};
__attribute__((noinline)) static uint32_t next_word(struct cursor *from) {
  const uint32_t word = *(const uint32_t *)from->next;
  from->next += sizeof word;
  return word;
}
__attribute__((noinline)) static uint64_t hash(const void *key, size_t size) {
  uint64_t sum = size;
  const char *bytes = key;
  for (; size >= 8; size -= 8, bytes += 8)
    sum = sum * 31 + *(const uint64_t *)bytes;
  return sum;
}
__attribute__((noinline)) static int match(const unsigned char *a, const unsigned char *b) {
  int length = 0;
  for (; *(const uint16_t *)a == *(const uint16_t *)b && length < 30; a += 2, b += 2)
    length += 2;
  return length;
}
__attribute__((noinline)) static void put(char *to, const struct record *record) { *(struct record *)to = *record; }

int main(int argc, char **argv) {
  const int offset = argc > 1 ? atoi(argv[1]) : 0;
  unsigned char *buffer = malloc(256);
  for (int i = 0; i < 256; ++i)
    buffer[i] = (unsigned char)(i * 7 % 50);
  struct cursor cursor = {buffer + offset, buffer + 256};
  for (int i = 0; i < 5; ++i)
    printf("%08x ", next_word(&cursor));
  printf("\n%016llx %d %d\n", (unsigned long long)hash(buffer + offset, 100), match(buffer + offset, buffer + offset + 50),
         match(buffer + offset, buffer + offset + 1));
  const struct record record = {3, 70000, 1.25};
  put((char *)buffer + offset, &record);
  const struct record *there = (const struct record *)((char *)buffer + offset);
  printf("%d %u %g\n", there->kind, there->length, there->value);
  char on_stack[64];
  memset(on_stack, 0, sizeof on_stack);
  *(uint64_t *)(on_stack + offset) = 0x1122334455667788;
  *(float *)(on_stack + offset + 10) += 2.5f;
  for (int i = 0; i < 16; ++i)
    printf("%02x", (unsigned char)on_stack[i]);
  printf("\n");
  free(buffer);
  return 0;
}
