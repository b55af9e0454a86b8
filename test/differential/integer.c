// Integer arithmetic of every width is the host's: 8 to 128 bits, division, shifts, overflow, bit tricks, switches.
// RUN: %python %S/compare.py %s --gpucc '%gpucc' --gpuexec '%gpuexec --device=emulator' --hostcc clang -o %t
#include "inputs/lanes.h"

enum { COUNT = 6000 };

typedef __int128 i128;
typedef unsigned __int128 u128;

static const uint64_t table[] = {0, 1, 2, 3, 7, 8, 10, 100, 127, 128, 255, 256, 1000, 32767, 32768, 65535, 65536,
                                 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
                                 0x8000000000000000, 0xffffffffffffffff, 0xfffffffffffffffe, 0x123456789abcdef0,
                                 0xffffffff00000000, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa};
enum { TABLE = sizeof table / sizeof *table };

static uint64_t hard(uint64_t seed, uint64_t i) {
  uint64_t r = random_at(seed, i);
  if (i < TABLE * TABLE)
    return table[seed & 1 ? i % TABLE : i / TABLE];
  return r >> (random_at(seed + 7, i) & 63);
}

static uint64_t fold(u128 v) { return (uint64_t)v ^ mix((uint64_t)(v >> 64)); }

#define LOOP(number, name, ...)                                                \
  {                                                                            \
    unsigned check = check_named(number, name);                                \
    for (uint64_t i = lane; i < COUNT; i += LANES) {                           \
      uint64_t a = hard(0, i), b = hard(1, i), c = hard(2, i);                 \
      uint64_t r = 0;                                                          \
      __VA_ARGS__;                                                             \
      record(check, i, r);                                                     \
    }                                                                          \
  }
// The results of one type's operators; what C leaves undefined is avoided.
#define TYPE(number, name, U, S)                                               \
  LOOP(number, name, U x = (U)a; U y = (U)b; U z = y ? y : 3; S p = (S)x;      \
       S q = (S)z; if (q == -1) q = 5; unsigned n = b % (8 * sizeof(U));       \
       r = mix(r + (U)(x + y)); r = mix(r + (U)(x - y)); r = mix(r + (U)(1ull * x * y)); \
       r = mix(r + x / z); r = mix(r + x % z); r = mix(r + (uint64_t)(p / q)); \
       r = mix(r + (uint64_t)(p % q)); r = mix(r + (U)(x << n)); r = mix(r + (x >> n)); \
       r = mix(r + (uint64_t)(p >> n)); r = mix(r + (U)(x << n | x >> (-n % (8 * sizeof(U))))); \
       r = mix(r + (x < y) + 2 * (x == y) + 4 * ((S)x < (S)y) + 8 * ((S)x >= (S)y)); \
       r = mix(r + (U)(x & ~y)); r = mix(r + (U)(x ^ y) + (U)-x); r = mix(r + (uint64_t)(p < 0 ? -(U)p : p)); \
       S s; U u; r = mix(r + __builtin_add_overflow((S)x, (S)y, &s) + 2 * __builtin_sub_overflow((S)x, (S)y, &s)); r += (U)s; \
       r = mix(r + __builtin_mul_overflow((S)x, (S)y, &s)); r += (U)s;          \
       r = mix(r + __builtin_add_overflow(x, y, &u) + 2 * __builtin_mul_overflow(x, y, &u)); r += u; \
       r = mix(r + (x < y ? x : y)); r = mix(r + (uint64_t)((S)x > (S)y ? (S)x : (S)y)))

// Dense, sparse and wide tables.
static uint64_t switches(uint64_t v) {
  uint64_t r = 0;
  switch (v % 24) {
  case 0: r = v * 3; break;
  case 1: r = v ^ 0x55; break;
  case 2: r = v / 7; // falls through
  case 3: r += 11; break;
  case 4: return v;
  case 5: r = v << 3; break;
  case 6: r = ~v; break;
  case 7: r = v - 99; break;
  case 8: r = v % 13; break;
  case 10: r = v >> 5; break;
  case 11: case 12: case 13: r = v * v; break;
  case 17: r = v + 17; break;
  case 23: r = -v; break;
  default: r = 1;
  }
  switch (r) {
  case 0: return 5;
  case 11: return 6;
  case 1000000007: return 7;
  case 0xffffffffffffffff: return 8;
  case 1: return 9;
  }
  switch ((int)(v % 7) - 3) {
  case -3: return r + 1;
  case -2: return r * 2;
  case 3: return r ^ 0xff00;
  }
  return r;
}

void lane(unsigned lane) {
  TYPE(0, "bits8", uint8_t, int8_t)
  TYPE(1, "bits16", uint16_t, int16_t)
  TYPE(2, "bits32", uint32_t, int32_t)
  TYPE(3, "bits64", uint64_t, int64_t)
  LOOP(4, "bits128", u128 x = (u128)a << 64 | c; u128 y = (u128)(b >> (c & 63)) << 64 | a; u128 z = y ? y : 9;
       i128 p = (i128)x; i128 q = (i128)(z >> (a & 127)); if (q == 0 || q == -1) q = 12345; unsigned n = c & 127;
       r = mix(r + fold(x + y)); r = mix(r + fold(x - y)); r = mix(r + fold(x * y)); r = mix(r + fold(x / z));
       r = mix(r + fold(x % z)); r = mix(r + fold((u128)(p / q))); r = mix(r + fold((u128)(p % q)));
       r = mix(r + fold(x << n)); r = mix(r + fold(x >> n)); r = mix(r + fold((u128)(p >> n)));
       r = mix(r + (x < y) + 2 * ((i128)x < (i128)y)); r = mix(r + fold((u128)a * b)); r = mix(r + fold((u128)((i128)(int64_t)a * (int64_t)b))))
  LOOP(5, "counts", r = mix(r + __builtin_popcount((uint32_t)a)); r = mix(r + __builtin_popcountll(a));
       r = mix(r + __builtin_clz((uint32_t)a | 1)); r = mix(r + __builtin_clzll(a | 1));
       r = mix(r + __builtin_ctz((uint32_t)a | 1u << 31)); r = mix(r + __builtin_ctzll(a | 1ull << 63));
       r = mix(r + __builtin_ffs((int)a)); r = mix(r + __builtin_ffsll((long long)a)); r = mix(r + __builtin_parityll(a));
       r = mix(r + __builtin_bswap16((uint16_t)a)); r = mix(r + __builtin_bswap32((uint32_t)a)); r = mix(r + __builtin_bswap64(a));
       r = mix(r + __builtin_bitreverse32((uint32_t)a)); r = mix(r + __builtin_bitreverse64(a)); r = mix(r + __builtin_bitreverse8((uint8_t)a));
       r = mix(r + __builtin_clrsb((int)a)); r = mix(r + __builtin_clrsbll((long long)a));
       r = mix(r + __builtin_rotateleft32((uint32_t)a, (uint32_t)b)); r = mix(r + __builtin_rotateright64(a, b)))
  LOOP(6, "saturating", r = mix(r + (uint32_t)__builtin_elementwise_add_sat((int)a, (int)b)); r = mix(r + __builtin_elementwise_sub_sat((uint32_t)a, (uint32_t)b));
       r = mix(r + (uint16_t)__builtin_elementwise_add_sat((short)a, (short)b)); r = mix(r + __builtin_elementwise_add_sat((unsigned char)a, (unsigned char)b));
       r = mix(r + (uint64_t)__builtin_elementwise_sub_sat((long)a, (long)b)))
  LOOP(7, "switches", r = switches(a) + switches(b % 100))
  LOOP(8, "constants", r = mix(r + a / 10); r = mix(r + a % 10); r = mix(r + (uint64_t)((int64_t)a / 7)); r = mix(r + (uint32_t)a / 641);
       r = mix(r + (uint32_t)((int)a / -9)); r = mix(r + (uint16_t)a / 3); r = mix(r + (uint64_t)((int64_t)a % 1000)); r = mix(r + (uint8_t)a % 5);
       r = mix(r + (uint64_t)((int64_t)a / 4096)); r = mix(r + (uint32_t)((int)a % 16)))
  LOOP(9, "gcd", uint64_t x = a; uint64_t y = b; while (y) { uint64_t t = x % y; x = y; y = t; } r = x)
  LOOP(10, "crc", r = 0xffffffff; for (int k = 0; k < 64; ++k) r = r >> 1 ^ (((r ^ a >> k) & 1) ? 0xedb88320u : 0))
  LOOP(11, "vectors", typedef uint16_t h4 __attribute__((ext_vector_type(4))); typedef int w4 __attribute__((ext_vector_type(4)));
       typedef uint8_t b8 __attribute__((ext_vector_type(8))); h4 x; h4 y; memcpy(&x, &a, 8); memcpy(&y, &b, 8);
       h4 s = x + y * 3; s = s >> 2 | s << 3; s = x > y ? s : x - y; memcpy(&r, &s, 8);
       w4 w = {(int)a, (int)b, (int)c, (int)(a >> 32)}; w = w * w.yzwx + (w < w.zwxy); r = mix(r + (uint32_t)w.x + ((uint64_t)(uint32_t)w.y << 32)); r = mix(r + (uint32_t)(w.z ^ w.w));
       b8 v; memcpy(&v, &c, 8); v = v * v + 7; v = v.s76543210; uint64_t t; memcpy(&t, &v, 8); r = mix(r + t))
}
