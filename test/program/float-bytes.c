// Bytes of floating-point numbers that have just been computed: taken out by memcpy and by a union, and stored where they are not aligned.
// RUN: %hostcc -O1 %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 1 2 3; do %gpucc -O$level %s -o %t && %run %t | diff %t.expected - || { echo "failed: -O$level" >&2; exit 1; }; done
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) record {
  char kind;
  float number;
  double value;
};
struct __attribute__((packed, aligned(4))) halves {
  int kind;
  double value;
};
union parts {
  double number;
  uint32_t words[2];
};

// The memory is known only at run time: else LLVM joins the bytes again.
static unsigned char memory[32];
static unsigned char *volatile where = memory;
static volatile double zero;

__attribute__((noinline)) static void put_bytes(unsigned char *to, float a, float b) {
  const float sum = a + b;
  uint32_t bits;
  memcpy(&bits, &sum, sizeof bits);
  for (int i = 0; i < 4; ++i)
    to[i] = (unsigned char)(bits >> 8 * i);
}
__attribute__((noinline)) static void put_short(uint16_t *to, float a, float b) {
  const float product = a * b;
  uint32_t bits;
  memcpy(&bits, &product, sizeof bits);
  to[0] = (uint16_t)bits;
}
__attribute__((noinline)) static void put_low(uint32_t *to, double a, double b) {
  const union parts sum = {a + b};
  to[2] = 1;
  to[0] = sum.words[0];
}
__attribute__((noinline)) static void put_record(struct record *to, double a, double b) {
  to->number = (float)(a + b);
  to->value = a - b;
}
__attribute__((noinline)) static void put_halves(struct halves *to, double a, double b) { to->value = a * b; }
__attribute__((noinline)) static void put_chosen(unsigned char *to, float a, float b, int which) {
  const float sum = a + b, difference = a - b;
  uint32_t bits, others;
  memcpy(&bits, &sum, sizeof bits);
  memcpy(&others, &difference, sizeof others);
  to[0] = (unsigned char)(which ? bits : others);
}

static void show(const char *name) {
  printf("%s ", name);
  for (int i = 0; i < 16; ++i)
    printf("%02x", memory[i]);
  printf("\n");
  memset(memory, 0, sizeof memory);
}

int main(int argc, char **argv) {
  const volatile double numbers[] = {2.5, 1, 0.1, 3.14159, 1000.125, -7.3, 255.75};
  for (int i = 0; i < 7; ++i) {
    const double a = numbers[i], b = zero;
    put_bytes(where, (float)a, (float)b);
    show("bytes");
    put_short((uint16_t *)where, (float)a, 1.5f + (float)b);
    show("short");
    put_low((uint32_t *)where, a, b);
    show("low word");
    put_record((struct record *)where, a, b);
    show("record");
    put_halves((struct halves *)where, a, b + 1.1);
    show("halves");
    put_chosen(where, (float)a, (float)b, argc);
    show("chosen");
  }
  return 0;
}
