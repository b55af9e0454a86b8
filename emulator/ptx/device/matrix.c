//===-- emulator/ptx/device/matrix.c - Products of a warp's matrices ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma and wmma of PTX. Of mma, lane l has, of each block of k, one register of
// a's row l / 4 (and one of row l / 4 + 8), and one of b's column l / 4; the
// four lanes of a row or column share the block. It computes columns 2(l % 4)
// and the next of its rows. Sums are made in the order of k, with one rounding
// a product.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/device/rounding.h"

typedef uint32_t words4 __attribute__((ext_vector_type(4)));
typedef uint32_t words2 __attribute__((ext_vector_type(2)));
typedef int32_t ints4 __attribute__((ext_vector_type(4)));
typedef float floats4 __attribute__((ext_vector_type(4)));
typedef uint32_t words8 __attribute__((ext_vector_type(8)));
typedef int32_t ints8 __attribute__((ext_vector_type(8)));
typedef float floats8 __attribute__((ext_vector_type(8)));
typedef double doubles4 __attribute__((ext_vector_type(4)));
typedef double doubles8 __attribute__((ext_vector_type(8)));
typedef _Float16 halves2 __attribute__((ext_vector_type(2)));

static inline uint32_t lane_id(void) {
  return __builtin_amdgcn_mbcnt_lo(~0u, 0);
}

static inline uint32_t of_lane(uint32_t value, uint32_t lane) {
  return (uint32_t)__builtin_amdgcn_ds_bpermute((int)(lane << 2), (int)value);
}

static inline double double_of_lane(double value, uint32_t lane) {
  uint64_t bits = __builtin_bit_cast(uint64_t, value);
  uint64_t low = of_lane((uint32_t)bits, lane);
  uint64_t high = of_lane((uint32_t)(bits >> 32), lane);
  return __builtin_bit_cast(double, high << 32 | low);
}

static inline float single(uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}

/// Halves 0 and 1 of a word.
static inline float half(uint32_t bits, int n) {
  return (float)__builtin_bit_cast(halves2, bits)[n];
}

static inline float bfloat(uint32_t bits, int n) {
  return single(n ? bits & 0xffff0000u : bits << 16);
}

static inline float dot_f16(float sum, uint32_t a, uint32_t b, int variant) {
  (void)variant;
  sum = __builtin_fmaf(half(a, 0), half(b, 0), sum);
  return __builtin_fmaf(half(a, 1), half(b, 1), sum);
}

static inline float dot_bf16(float sum, uint32_t a, uint32_t b, int variant) {
  (void)variant;
  sum = __builtin_fmaf(bfloat(a, 0), bfloat(b, 0), sum);
  return __builtin_fmaf(bfloat(a, 1), bfloat(b, 1), sum);
}

/// The lower 13 bits of a tf32 count for nothing.
static inline float dot_tf32(float sum, uint32_t a, uint32_t b, int variant) {
  (void)variant;
  return __builtin_fmaf(single(a & ~0x1fffu), single(b & ~0x1fffu), sum);
}

static inline float eighth(uint32_t bits, int n, int is_e5m2) {
  uint32_t code = bits >> (8 * n) & 0xff;
  return half(__gpuexec_ptx_decode8(code, is_e5m2 ? E5M2 : E4M3), 0);
}

static inline float dot_f8(float sum, uint32_t a, uint32_t b, int variant) {
  for (int n = 0; n < 4; ++n)
    sum = __builtin_fmaf(eighth(a, n, variant & 1), eighth(b, n, variant & 2),
                         sum);
  return sum;
}

static inline int32_t part(uint32_t word, int n, int bits, int by_sign) {
  uint32_t top = word << (32 - bits * (n + 1));
  return by_sign ? (int32_t)top >> (32 - bits) : (int32_t)(top >> (32 - bits));
}

/// Bits 0 and 1 of `variant`: a, b are signed; bit 2: the sum saturates.
static inline int32_t add_products(int32_t sum, uint32_t a, uint32_t b,
                                   int variant, int bits) {
  int32_t more = 0, result;
  for (int n = 0; n < 32 / bits; ++n)
    more += part(a, n, bits, variant & 1) * part(b, n, bits, variant & 2);
  if (!__builtin_add_overflow(sum, more, &result) || !(variant & 4))
    return (int32_t)((uint32_t)sum + (uint32_t)more);
  return more < 0 ? INT32_MIN : INT32_MAX;
}

static inline int32_t dot_i8(int32_t sum, uint32_t a, uint32_t b, int v) {
  return add_products(sum, a, b, v, 8);
}

static inline int32_t dot_i4(int32_t sum, uint32_t a, uint32_t b, int v) {
  return add_products(sum, a, b, v, 4);
}

static inline int32_t dot_xor(int32_t sum, uint32_t a, uint32_t b, int v) {
  (void)v;
  return sum + __builtin_popcount(a ^ b);
}

static inline int32_t dot_and(int32_t sum, uint32_t a, uint32_t b, int v) {
  (void)v;
  return sum + __builtin_popcount(a & b);
}

/// `blocks`: of k, 1 or 2. `halves`: 2 for 16 rows, 1 for 8.
#define GPUEXEC_MMA(NAME, RESULT)                                              \
  RESULT __gpuexec_ptx_mma_##NAME(words4 a, words2 b, RESULT c, int blocks,    \
                                  int halves, int variant) {                   \
    uint32_t lane = lane_id(), group = lane & ~3u, column = (lane & 3) * 8;    \
    for (int block = 0; block < blocks; ++block)                               \
      for (uint32_t n = 0; n < 4; ++n) {                                       \
        uint32_t left = of_lane(b[block], column + n);                         \
        uint32_t right = of_lane(b[block], column + 4 + n);                    \
        for (int row = 0; row < halves; ++row) {                               \
          uint32_t of_row = of_lane(a[block * halves + row], group + n);       \
          c[2 * row] = dot_##NAME(c[2 * row], of_row, left, variant);          \
          c[2 * row + 1] = dot_##NAME(c[2 * row + 1], of_row, right, variant); \
        }                                                                      \
      }                                                                        \
    return c;                                                                  \
  }
GPUEXEC_MMA(f16, floats4)
GPUEXEC_MMA(bf16, floats4)
GPUEXEC_MMA(tf32, floats4)
GPUEXEC_MMA(f8, floats4)
GPUEXEC_MMA(i8, ints4)
GPUEXEC_MMA(i4, ints4)
GPUEXEC_MMA(xor, ints4)
GPUEXEC_MMA(and, ints4)
#undef GPUEXEC_MMA

/// The word `at` of row `row` (lower/wmma.cpp says where it is).
static inline uint32_t word_of(words8 pieces, int registers, int words,
                               uint32_t row, int at) {
  uint32_t lanes = (uint32_t)(words / registers);
  return of_lane(pieces[at % registers],
                 row * lanes + (uint32_t)(at / registers));
}

/// wmma: a tile of 2x4; `across`: tiles in a row.
#define GPUEXEC_WMMA(NAME, RESULT)                                             \
  RESULT __gpuexec_ptx_wmma_##NAME(words8 a, words8 b, RESULT c, int a_count,  \
                                   int b_count, int words, int across,         \
                                   int variant) {                              \
    uint32_t lane = lane_id(), row = lane / (uint32_t)across * 2;              \
    uint32_t column = lane % (uint32_t)across * 4;                             \
    for (int at = 0; at < words; ++at) {                                       \
      uint32_t of_rows[2];                                                     \
      for (uint32_t n = 0; n < 2; ++n)                                         \
        of_rows[n] = word_of(a, a_count, words, row + n, at);                  \
      for (uint32_t n = 0; n < 4; ++n) {                                       \
        uint32_t of_column = word_of(b, b_count, words, column + n, at);       \
        c[n] = dot_##NAME(c[n], of_rows[0], of_column, variant);               \
        c[4 + n] = dot_##NAME(c[4 + n], of_rows[1], of_column, variant);       \
      }                                                                        \
    }                                                                          \
    return c;                                                                  \
  }
GPUEXEC_WMMA(f16, floats8)
GPUEXEC_WMMA(bf16, floats8)
GPUEXEC_WMMA(tf32, floats8)
GPUEXEC_WMMA(i8, ints8)
#undef GPUEXEC_WMMA

doubles4 __gpuexec_ptx_mma_f64(doubles8 a, doubles4 b, doubles4 c, int blocks,
                               int halves) {
  uint32_t lane = lane_id(), group = lane & ~3u, column = (lane & 3) * 8;
  for (int block = 0; block < blocks; ++block)
    for (uint32_t n = 0; n < 4; ++n) {
      double left = double_of_lane(b[block], column + n);
      double right = double_of_lane(b[block], column + 4 + n);
      for (int row = 0; row < halves; ++row) {
        double of_row = double_of_lane(a[block * halves + row], group + n);
        c[2 * row] = __builtin_fma(of_row, left, c[2 * row]);
        c[2 * row + 1] = __builtin_fma(of_row, right, c[2 * row + 1]);
      }
    }
  return c;
}

/// cp.async with fewer bytes than it writes: zeros behind them.
void __gpuexec_ptx_copy_some(__attribute__((address_space(3))) uint8_t *to,
                             const __attribute__((address_space(1)))
                             uint8_t *from,
                             uint32_t bytes, uint32_t count) {
  for (uint32_t n = 0; n < bytes; ++n)
    to[n] = n < count ? from[n] : 0;
}
