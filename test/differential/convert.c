// Conversions between integers and floats of all sizes are the host's.
// RUN: %python %S/compare.py %s --gpucc '%gpucc' --gpuexec '%gpuexec --device=emulator' --hostcc clang -o %t
#include "inputs/hard.h"
#include <math.h>

static uint64_t hard_integer(uint64_t seed, uint64_t i) {
  uint64_t r = random_at(seed, i), v = r >> (i % 64);
  switch (i / 64 % 4) {
  case 0:
    return (1ull << (i % 64)) + r % 5 - 2;
  case 1:
    return -v;
  case 2: // halfway between two floats, and next to it
    return (v | 1) << (r % 40 % (i % 64 + 1)) | (r & 1);
  default:
    return v;
  }
}

#define INTEGERS(number, name, TYPE, TO, RECORD)                               \
  {                                                                            \
    unsigned check = check_named(number, name);                                \
    for (uint64_t i = lane; i < SINGLES; i += LANES)                           \
      RECORD(check, i, (TO)(TYPE)hard_integer(1, i));                          \
  }
// Only what C defines: a truncated value that fits.
#define FLOATS(number, name, FROM, HARD, TYPE, LOW, HIGH)                      \
  {                                                                            \
    unsigned check = check_named(number, name);                                \
    for (uint64_t i = lane; i < SINGLES; i += LANES) {                         \
      FROM v = HARD(2, i);                                                     \
      record(check, i, v > LOW && v < HIGH ? (uint64_t)TYPE(v) : 0);           \
    }                                                                          \
  }

void lane(unsigned lane) {
  INTEGERS(0, "i8_float", int8_t, float, record_float)
  INTEGERS(1, "u16_float", uint16_t, float, record_float)
  INTEGERS(2, "i32_float", int32_t, float, record_float)
  INTEGERS(3, "u32_float", uint32_t, float, record_float)
  INTEGERS(4, "i64_float", int64_t, float, record_float)
  INTEGERS(5, "u64_float", uint64_t, float, record_float)
  INTEGERS(6, "i32_double", int32_t, double, record_double)
  INTEGERS(7, "u32_double", uint32_t, double, record_double)
  INTEGERS(8, "i64_double", int64_t, double, record_double)
  INTEGERS(9, "u64_double", uint64_t, double, record_double)
  INTEGERS(10, "i32_half", int32_t, _Float16, record_float)
  INTEGERS(11, "u16_half", uint16_t, _Float16, record_float)
  INTEGERS(12, "i64_half", int64_t, _Float16, record_float)
  FLOATS(20, "float_i8", float, hard_float, (int8_t), -129.0f, 128.0f)
  FLOATS(21, "float_i32", float, hard_float, (int32_t), -2147483904.0f, 2147483648.0f)
  FLOATS(22, "float_u32", float, hard_float, (uint32_t), -1.0f, 4294967296.0f)
  FLOATS(23, "float_i64", float, hard_float, (int64_t), -9223373136366403584.0f, 9223372036854775808.0f)
  FLOATS(24, "float_u64", float, hard_float, (uint64_t), -1.0f, 18446744073709551616.0f)
  FLOATS(25, "double_i16", double, hard_double, (int16_t), -32769.0, 32768.0)
  FLOATS(26, "double_i32", double, hard_double, (int32_t), -2147483649.0, 2147483648.0)
  FLOATS(27, "double_u32", double, hard_double, (uint32_t), -1.0, 4294967296.0)
  FLOATS(28, "double_i64", double, hard_double, (int64_t), -9223372036854777856.0, 9223372036854775808.0)
  FLOATS(29, "double_u64", double, hard_double, (uint64_t), -1.0, 18446744073709551616.0)
  FLOATS(30, "lrint", float, hard_float, lrintf, -9e18f, 9e18f)
  FLOATS(31, "lround", double, hard_double, lround, -9e18, 9e18)
  {
    unsigned narrow = check_named(40, "double_float"), wide = check_named(41, "float_double");
    for (uint64_t i = lane; i < SINGLES; i += LANES) {
      record_float(narrow, i, (float)hard_double(3, i));
      record_double(wide, i, (double)hard_float(3, i));
    }
    unsigned half = check_named(42, "float_half"), from_double = check_named(43, "double_half");
    for (uint64_t i = lane; i < SINGLES; i += LANES) {
      record_float(half, i, (float)(_Float16)hard_float(4, i));
      record_float(from_double, i, (float)(_Float16)hard_double(4, i));
    }
    unsigned all = check_named(44, "all_halves");
    for (uint64_t i = lane; i < 65536; i += LANES) {
      uint16_t bits = (uint16_t)i;
      _Float16 v;
      memcpy(&v, &bits, sizeof v);
      record_float(all, i, (float)v);
    }
  }
}
