//===-- test/differential/inputs/csmith/csmith.h - csmith's runtime -------===//
// What programs of csmith(1) include. Operations that C leaves undefined give
// their first operand instead; the checksum is FNV-1a over the values. The same
// on host and device; nothing depends on the host but the result line.
// CSMITH_SEED names the program, whose main is csmith_main_<seed>.
//===----------------------------------------------------------------------===//
#ifndef CSMITH_H
#define CSMITH_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t checksum_state = 0xcbf29ce484222325u;
static uint32_t crc32_context; // named by generated programs, not used

static inline void crc32_gentab(void) {}

static inline void checksum_byte(uint8_t byte) {
  checksum_state = (checksum_state ^ byte) * 0x100000001b3u;
}

/// Called hundreds of times from main: out of line to compile fast.
__attribute__((noinline)) static void transparent_crc(uint64_t value, const char *name, int print) {
  for (int i = 0; i < 8; ++i)
    checksum_byte((uint8_t)(value >> (8 * i)));
  if (print)
    printf("%s = %llx, checksum %llx\n", name, (unsigned long long)value, (unsigned long long)checksum_state);
}

static inline void platform_main_begin(void) {}

static inline void platform_main_end(uint32_t unused, int print) {
  (void)unused;
  printf("seed %d checksum %llx\n", CSMITH_SEED, (unsigned long long)checksum_state);
}

#define SAFE_ARITHMETIC(T, S)                                                                                          \
  static inline T safe_add_func_##T##S(T a, T b) {                                                                     \
    T r;                                                                                                               \
    return __builtin_add_overflow(a, b, &r) && (T)-1 < 0 ? a : (T)r;                                                   \
  }                                                                                                                    \
  static inline T safe_sub_func_##T##S(T a, T b) {                                                                     \
    T r;                                                                                                               \
    return __builtin_sub_overflow(a, b, &r) && (T)-1 < 0 ? a : (T)r;                                                   \
  }                                                                                                                    \
  static inline T safe_mul_func_##T##S(T a, T b) {                                                                     \
    T r;                                                                                                               \
    return __builtin_mul_overflow(a, b, &r) && (T)-1 < 0 ? a : (T)r;                                                   \
  }                                                                                                                    \
  static inline int safe_divides_##T(T a, T b) {                                                                       \
    T r;                                                                                                               \
    return b != 0 && !((T)-1 < 0 && b == (T)-1 && __builtin_sub_overflow((T)0, a, &r));                                \
  }                                                                                                                    \
  static inline T safe_div_func_##T##S(T a, T b) { return safe_divides_##T(a, b) ? a / b : a; }                        \
  static inline T safe_mod_func_##T##S(T a, T b) { return safe_divides_##T(a, b) ? a % b : a; }

#define SAFE_SHIFT(T, S, N)                                                                                            \
  static inline T safe_lshift_func_##T##S(T a, N n) {                                                                  \
    return n < 0 || (uint64_t)n >= 8 * sizeof(T) || a < 0 || (uint64_t)a > (SAFE_MAX_##T >> n) ? a : (T)(a << n);      \
  }                                                                                                                    \
  static inline T safe_rshift_func_##T##S(T a, N n) {                                                                  \
    return n < 0 || (uint64_t)n >= 8 * sizeof(T) || a < 0 ? a : (T)(a >> n);                                           \
  }

#define SAFE_MAX_int8_t ((uint64_t)INT8_MAX)
#define SAFE_MAX_int16_t ((uint64_t)INT16_MAX)
#define SAFE_MAX_int32_t ((uint64_t)INT32_MAX)
#define SAFE_MAX_int64_t ((uint64_t)INT64_MAX)
#define SAFE_MAX_uint8_t ((uint64_t)UINT8_MAX)
#define SAFE_MAX_uint16_t ((uint64_t)UINT16_MAX)
#define SAFE_MAX_uint32_t ((uint64_t)UINT32_MAX)
#define SAFE_MAX_uint64_t ((uint64_t)UINT64_MAX)

#define SAFE_SIGNED(T)                                                                                                 \
  SAFE_ARITHMETIC(T, _s_s)                                                                                             \
  SAFE_SHIFT(T, _s_s, int)                                                                                             \
  SAFE_SHIFT(T, _s_u, unsigned)                                                                                        \
  static inline T safe_unary_minus_func_##T##_s(T a) {                                                                 \
    T r;                                                                                                               \
    return __builtin_sub_overflow((T)0, a, &r) ? a : r;                                                                \
  }
#define SAFE_UNSIGNED(T)                                                                                               \
  SAFE_ARITHMETIC(T, _u_u)                                                                                             \
  SAFE_SHIFT(T, _u_s, int)                                                                                             \
  SAFE_SHIFT(T, _u_u, unsigned)                                                                                        \
  static inline T safe_unary_minus_func_##T##_u(T a) { return (T) - a; }

SAFE_SIGNED(int8_t)
SAFE_SIGNED(int16_t)
SAFE_SIGNED(int32_t)
SAFE_SIGNED(int64_t)
SAFE_UNSIGNED(uint8_t)
SAFE_UNSIGNED(uint16_t)
SAFE_UNSIGNED(uint32_t)
SAFE_UNSIGNED(uint64_t)


#define CSMITH_NAME_(seed) csmith_main_##seed
#define CSMITH_NAME(seed) CSMITH_NAME_(seed)
#define main CSMITH_NAME(CSMITH_SEED)

#endif
