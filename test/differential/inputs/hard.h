//===-- test/differential/inputs/hard.h - Operands that are hard to compute with -*- C++ -*-===//
// Tables of edge cases and random bits. `hard_double(i)` and so on give operand
// i of an endless series: the table first, then random numbers, half of them
// with few digits or with an exponent near the table's.
//===----------------------------------------------------------------------===//
#ifndef HARD_H
#define HARD_H
#include "lanes.h"

static const uint64_t double_table[] = {
    0x0000000000000000, 0x0000000000000001, 0x0000000000000003, 0x0008000000000000, 0x000fffffffffffff,
    0x0010000000000000, 0x0010000000000001, 0x001fffffffffffff, 0x0020000000000000, 0x3ff0000000000000,
    0x3ff0000000000001, 0x3fefffffffffffff, 0x3ff8000000000000, 0x3fe0000000000000, 0x3fdfffffffffffff,
    0x4000000000000000, 0x4008000000000000, 0x4024000000000000, 0x3fd5555555555555, 0x400921fb54442d18,
    0x4330000000000000, 0x4330000000000001, 0x432fffffffffffff, 0x4320000000000001, 0x4340000000000000,
    0x41dfffffffc00000, 0x41e0000000000000, 0x41efffffffe00000, 0x43dfffffffffffff, 0x43e0000000000000,
    0x36a0000000000000, 0x369fffffffffffff, 0x380fffffffffffff, 0x3810000000000000, 0x47efffffe0000000,
    0x47efffffefffffff, 0x47f0000000000000, 0x3c90000000000000, 0x3ca0000000000000, 0x3ca0000000000001,
    0x7fd0000000000000, 0x7fe0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000,
    0x5fe6a09e667f3bcd, 0x1ff6a09e667f3bcd, 0x4059000000000000, 0xc004000000000000, 0x4002000000000000,
};
static const uint32_t float_table[] = {
    0x00000000, 0x00000001, 0x00000003, 0x00400000, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff, 0x01000000,
    0x3f800000, 0x3f800001, 0x3f7fffff, 0x3fc00000, 0x3f000000, 0x3effffff, 0x40000000, 0x40400000, 0x41200000,
    0x3eaaaaab, 0x40490fdb, 0x4b000000, 0x4b000001, 0x4affffff, 0x4a800001, 0x4b800000, 0x4effffff, 0x4f000000,
    0x4f7fffff, 0x5effffff, 0x5f000000, 0x33800000, 0x33800001, 0x33000000, 0x477fe000, 0x477ff000, 0x47800000,
    0x38800000, 0x387fffff, 0x33000001, 0x7e800000, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x5f3504f3,
    0x1fb504f3, 0x42c80000, 0x40200000, 0x3e99999a, 0x3dcccccd,
};
#define ENTRIES(table) (sizeof(table) / sizeof(table)[0])

static double double_of(uint64_t bits) {
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}
static float float_of(uint32_t bits) {
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static double hard_double(uint64_t seed, uint64_t i) {
  uint64_t n = ENTRIES(double_table), r = random_at(seed, i);
  if (i < 2 * n)
    return double_of(double_table[i / 2] ^ (i & 1) << 63);
  uint64_t bits = random_at(seed + 1, i);
  if (r % 4 == 0) // an entry's neighbourhood
    bits = double_table[r / 4 % n] + (bits % 64) - 32 + (bits & 1ull << 63);
  else if (r % 4 == 1) // a moderate exponent
    bits = (bits & 0x800fffffffffffff) | (0x3ff - 32 + r / 4 % 64) << 52;
  else if (r % 4 == 2) // few digits
    bits &= ~(0xfffffffffffffull >> r / 4 % 52);
  double v = double_of(bits);
  return v != v ? 1.5 : v; // no signaling NaN; the table has a quiet one
}
static float hard_float(uint64_t seed, uint64_t i) {
  uint64_t n = ENTRIES(float_table), r = random_at(seed, i);
  if (i < 2 * n)
    return float_of(float_table[i / 2] ^ (uint32_t)(i & 1) << 31);
  uint32_t bits = (uint32_t)random_at(seed + 1, i);
  if (r % 4 == 0)
    bits = float_table[r / 4 % n] + (bits % 64) - 32 + (bits & 1u << 31);
  else if (r % 4 == 1)
    bits = (bits & 0x807fffff) | (uint32_t)(0x7f - 16 + r / 4 % 32) << 23;
  else if (r % 4 == 2)
    bits &= ~(0x7fffffu >> r / 4 % 23);
  float v = float_of(bits);
  return v != v ? 1.5f : v;
}

// Pairs: every two entries of a table, then random ones.
enum { TABLE2 = 100, PAIRS = TABLE2 * TABLE2 + 6000, SINGLES = 20000 };
static uint64_t first_of(uint64_t i) { return i < TABLE2 * TABLE2 ? i / TABLE2 : i; }
static uint64_t second_of(uint64_t i) { return i < TABLE2 * TABLE2 ? i % TABLE2 : i; }

#endif
