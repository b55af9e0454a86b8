/* Loops that are the same in all lanes: what they compute stays in scalar registers, and bytes and shorts of constant tables are
   loaded there from RDNA 4 on. Prints lines "NAME CHECKSUM". */
// RUN: %python %S/compare.py %s --gpucc '%gpucc' --gpuexec '%gpuexec --device=emulator' --hostcc clang --levels=-O2 --threads 1 -o %t
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef __AMDGPU__
#include <gpuintrin.h>
#endif

enum { COUNT = 61 };
static const uint8_t bytes[COUNT] = {0, 255, 128, 127, 1, 77, 200, 3, 9, 250, 100, 50, 25, 12, 6, 3, 129, 254};
static const int8_t small[COUNT] = {0, -1, -128, 127, 1, 77, -56, 3, 9, -6, 100, 50, 25, -12, 6, 3, -127, -2};
static const uint16_t shorts[COUNT] = {0, 65535, 32768, 32767, 1, 777, 40000, 3, 9, 65000, 1000, 500, 256, 255, 6, 3};
static const int16_t halves[COUNT] = {0, -1, -32768, 32767, 1, 777, -25000, 3, 9, -600, 1000, -500, 256, -255, 6, 3};
static const float floats[COUNT] = {0.5f, -1.25f, 3.0e8f, -7.5e-9f, 1.0f, 12345.678f, -0.0f, 0.1f, 2.5f, -3.5f, 1e-40f, 65504.0f};

static uint64_t mix(uint64_t h) {
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9u;
  return h ^ h >> 32;
}
static uint32_t bits(float x) {
  uint32_t u;
  memcpy(&u, &x, 4);
  return x != x ? 0x7fc00000u : u;
}
static void show(const char *name, uint64_t sum) { printf("%s %016llx\n", name, (unsigned long long)sum); }

int main(int argc, char **argv) {
  const int rounds = COUNT * 50 + argc - 1;
  uint64_t sum = 0;
  (void)argv;
#ifdef __AMDGPU__
  if (__gpu_thread_id_x())
    return 0;
#endif
  for (int i = 0, k = 0; i < rounds; i++, k = k + 7 < COUNT ? k + 7 : k + 7 - COUNT)
    sum = mix(sum + bytes[k]) + (uint64_t)small[k];
  show("bytes", sum);
  for (int i = 0, k = 0; i < rounds; i++, k = k + 7 < COUNT ? k + 7 : k + 7 - COUNT)
    sum = mix(sum + shorts[k]) + (uint64_t)halves[k];
  show("shorts", sum);
  float x = 1.0f, least = 1e30f;
  int below = 0;
  for (int i = 0, k = 0; i < rounds; i++, k = k + 7 < COUNT ? k + 7 : k + 7 - COUNT) {
    x = x * 0.75f + floats[k];
    least = x < least ? x : least;
    below += x < floats[(k + 1) % COUNT];
    if (x > 1e9f)
      x -= 1e9f;
    sum = mix(sum + bits(x) + (uint64_t)(int64_t)(int)(x * 0.001f));
  }
  show("floats", sum + bits(least) + (unsigned)below);
  for (int i = 0, k = 1; i < rounds; i++, k = (k * 5 + 1) % COUNT)
    sum = sum * (0x9e3779b97f4a7c15u + shorts[k]) - ((uint64_t)k << (bytes[k] & 63));
  show("products", sum);
  sum = 1;
  for (int i = 0, k = 1; i < rounds; i++, k = (k * 5 + 1) % COUNT) {
    if (small[k] < 0 && sum & 1)
      sum = mix(sum ^ 0x123456789abcdefu);
    else if (sum % 7 == 3)
      sum += bytes[k];
    else
      sum -= sum >> (k & 31 | 1);
  }
  show("branches", sum);
  return 0;
}
