// _Float16 arithmetic is the host's: all halves with some, and pairs of edge cases.
// RUN: %python %S/compare.py %s --gpucc '%gpucc' --gpuexec '%gpuexec --device=emulator' --hostcc clang -o %t
#include "inputs/hard.h"

static _Float16 half_of(uint16_t bits) {
  _Float16 v;
  memcpy(&v, &bits, sizeof v);
  return v;
}
static void record_half(unsigned check, uint64_t key, _Float16 v) {
  uint16_t bits;
  memcpy(&bits, &v, sizeof bits);
  record(check, key, v != v ? 0x7e00 : bits);
}
static const uint16_t edges[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x0200, 0x03ff, 0x0400, 0x0401, 0x3c00, 0x3c01, 0xbbff,
                                 0x3555, 0x4248, 0x6400, 0x6401, 0x7800, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x1400,
                                 0x1401, 0x0c00, 0x3800, 0xc500, 0x2e66, 0x5640};

#define ALL(number, name, expression)                                          \
  {                                                                            \
    unsigned check = check_named(number, name);                                \
    for (unsigned i = lane; i < 65536; i += LANES) {                           \
      _Float16 a = half_of((uint16_t)i), b = half_of(edges[(i * 13 + i / 256) % ENTRIES(edges)]); \
      _Float16 r = expression;                                                 \
      record_half(check, i, r);                                                \
    }                                                                          \
  }

typedef _Float16 half2 __attribute__((ext_vector_type(2)));

void lane(unsigned lane) {
  ALL(0, "add", a + b)
  ALL(1, "sub", b - a)
  ALL(2, "mul", a * b)
  ALL(3, "div", a / b)
  ALL(4, "reciprocal", (_Float16)1 / a)
  ALL(5, "compare", (a < b) + 2 * (a == b) + 4 * (a >= b) + 8 * (a != a))
  ALL(6, "min", a < b ? a : b)
  ALL(7, "negate", -a)
  ALL(8, "to_int", a > -2048 && a < 2048 ? (_Float16)(int)a : (_Float16)0)
  {
    unsigned check = check_named(20, "packed");
    for (unsigned i = lane; i < 65536; i += LANES) {
      half2 a = {half_of((uint16_t)i), half_of((uint16_t)(i * 31))}, b = {half_of(edges[i % ENTRIES(edges)]), 1.5f16};
      half2 sum = a + b, product = a * b;
      record_half(check, 4 * i, sum.x);
      record_half(check, 4 * i + 1, sum.y);
      record_half(check, 4 * i + 2, product.x);
      record_half(check, 4 * i + 3, product.y);
    }
  }
}
