// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/stdbit.h - C23's bit functions ----------*- C -*-===//
 * For each unsigned type; the generic forms choose by the argument's type.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_STDBIT_H
#define GPUEXEC_STDBIT_H

#define __STDC_VERSION_STDBIT_H__ 202311L
#define __STDC_ENDIAN_LITTLE__ 1234
#define __STDC_ENDIAN_BIG__ 4321
#define __STDC_ENDIAN_NATIVE__ __STDC_ENDIAN_LITTLE__

#define __STDBIT(suffix, type)                                                 \
  static inline unsigned stdc_leading_zeros_##suffix(type v) {                 \
    const unsigned bits = sizeof(type) * 8;                                    \
    return v ? (unsigned)__builtin_clzll(v) - (64 - bits) : bits;              \
  }                                                                            \
  static inline unsigned stdc_leading_ones_##suffix(type v) {                  \
    return stdc_leading_zeros_##suffix((type)~v);                              \
  }                                                                            \
  static inline unsigned stdc_trailing_zeros_##suffix(type v) {                \
    return v ? (unsigned)__builtin_ctzll(v) : (unsigned)sizeof(type) * 8;      \
  }                                                                            \
  static inline unsigned stdc_trailing_ones_##suffix(type v) {                 \
    return stdc_trailing_zeros_##suffix((type)~v);                             \
  }                                                                            \
  static inline unsigned stdc_first_leading_one_##suffix(type v) {             \
    return v ? stdc_leading_zeros_##suffix(v) + 1 : 0;                         \
  }                                                                            \
  static inline unsigned stdc_first_leading_zero_##suffix(type v) {            \
    return stdc_first_leading_one_##suffix((type)~v);                          \
  }                                                                            \
  static inline unsigned stdc_first_trailing_one_##suffix(type v) {            \
    return v ? stdc_trailing_zeros_##suffix(v) + 1 : 0;                        \
  }                                                                            \
  static inline unsigned stdc_first_trailing_zero_##suffix(type v) {           \
    return stdc_first_trailing_one_##suffix((type)~v);                         \
  }                                                                            \
  static inline unsigned stdc_count_ones_##suffix(type v) {                    \
    return (unsigned)__builtin_popcountll(v);                                  \
  }                                                                            \
  static inline unsigned stdc_count_zeros_##suffix(type v) {                   \
    return (unsigned)sizeof(type) * 8 - stdc_count_ones_##suffix(v);           \
  }                                                                            \
  static inline _Bool stdc_has_single_bit_##suffix(type v) {                   \
    return v && !(v & (type)(v - 1));                                          \
  }                                                                            \
  static inline unsigned stdc_bit_width_##suffix(type v) {                     \
    return (unsigned)sizeof(type) * 8 - stdc_leading_zeros_##suffix(v);        \
  }                                                                            \
  static inline type stdc_bit_floor_##suffix(type v) {                         \
    return v ? (type)((type)1 << (stdc_bit_width_##suffix(v) - 1)) : 0;        \
  }                                                                            \
  static inline type stdc_bit_ceil_##suffix(type v) {                          \
    if (v <= 1)                                                                \
      return 1;                                                                \
    unsigned width = stdc_bit_width_##suffix((type)(v - 1));                   \
    return width == sizeof(type) * 8 ? 0 : (type)((type)1 << width);           \
  }
__STDBIT(uc, unsigned char)
__STDBIT(us, unsigned short)
__STDBIT(ui, unsigned)
__STDBIT(ul, unsigned long)
__STDBIT(ull, unsigned long long)
#undef __STDBIT

#define __STDBIT_PICK(name, v)                                                 \
  _Generic((v),                                                                \
      unsigned char: name##_uc,                                                \
      unsigned short: name##_us,                                               \
      unsigned: name##_ui,                                                     \
      unsigned long: name##_ul,                                                \
      unsigned long long: name##_ull)(v)
#define stdc_leading_zeros(v) __STDBIT_PICK(stdc_leading_zeros, v)
#define stdc_leading_ones(v) __STDBIT_PICK(stdc_leading_ones, v)
#define stdc_trailing_zeros(v) __STDBIT_PICK(stdc_trailing_zeros, v)
#define stdc_trailing_ones(v) __STDBIT_PICK(stdc_trailing_ones, v)
#define stdc_first_leading_zero(v) __STDBIT_PICK(stdc_first_leading_zero, v)
#define stdc_first_leading_one(v) __STDBIT_PICK(stdc_first_leading_one, v)
#define stdc_first_trailing_zero(v) __STDBIT_PICK(stdc_first_trailing_zero, v)
#define stdc_first_trailing_one(v) __STDBIT_PICK(stdc_first_trailing_one, v)
#define stdc_count_zeros(v) __STDBIT_PICK(stdc_count_zeros, v)
#define stdc_count_ones(v) __STDBIT_PICK(stdc_count_ones, v)
#define stdc_has_single_bit(v) __STDBIT_PICK(stdc_has_single_bit, v)
#define stdc_bit_width(v) __STDBIT_PICK(stdc_bit_width, v)
#define stdc_bit_floor(v) __STDBIT_PICK(stdc_bit_floor, v)
#define stdc_bit_ceil(v) __STDBIT_PICK(stdc_bit_ceil, v)

#endif
