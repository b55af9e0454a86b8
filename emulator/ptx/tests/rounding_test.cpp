// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device library's roundings, compiled for this machine, against its own
// processor with another rounding mode set.
#include <cfenv>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

extern "C" {
#include "emulator/ptx/device/rounding.h"
}

namespace {

constexpr int MODES[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

template <typename T, typename Bits> T of(Bits bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <typename Bits, typename T> Bits bits(T value) {
  Bits result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

/// Numbers of every magnitude, with many zeros and ones among their bits.
template <typename T, typename Bits> std::vector<T> numbers(size_t count) {
  std::vector<T> all = {0,
                        T(-0.0),
                        1,
                        -1,
                        std::numeric_limits<T>::infinity(),
                        -std::numeric_limits<T>::infinity(),
                        std::numeric_limits<T>::max(),
                        std::numeric_limits<T>::lowest(),
                        std::numeric_limits<T>::min(),
                        std::numeric_limits<T>::denorm_min(),
                        -std::numeric_limits<T>::denorm_min(),
                        1 + std::numeric_limits<T>::epsilon(),
                        std::numeric_limits<T>::quiet_NaN()};
  std::mt19937_64 random(46);
  while (all.size() < count) {
    Bits wanted = Bits(random());
    if (random() & 1)
      wanted &= ~Bits(0) << random() % (sizeof(T) * 8 - 2);
    if (random() & 1) // near 1, so that sums meet
      wanted = (wanted & ~(Bits(0x7f) << (sizeof(T) * 8 - 8))) |
               Bits(0x3f) << (sizeof(T) * 8 - 8);
    all.push_back(of<T>(wanted));
  }
  return all;
}

template <typename T, typename Bits>
void expect_same(T found, T wanted, const char *operation, int mode, T a, T b,
                 T c) {
  if (std::isnan(wanted))
    EXPECT_TRUE(std::isnan(found))
        << operation << " " << a << " " << b << " " << c << " mode " << mode;
  else
    EXPECT_EQ(bits<Bits>(found), bits<Bits>(wanted))
        << std::hexfloat << operation << " " << a << " " << b << " " << c
        << " mode " << mode << ": " << found << ", wanted " << wanted;
}

template <typename T, typename Bits, typename Make>
void compare(const char *operation, size_t count, Make make) {
  std::vector<T> all = numbers<T, Bits>(count);
  std::mt19937 random(7);
  for (int mode = 1; mode < 4; ++mode)
    for (size_t n = 0; n < count * 40; ++n) {
      T a = all[n % count], b = all[random() % count];
      T c = all[random() % count];
      auto [found, wanted] = make(a, b, c, mode);
      expect_same<T, Bits>(found, wanted, operation, mode, a, b, c);
      if (testing::Test::HasFailure())
        return;
    }
}

/// What `expression` gives in the processor's rounding mode.
#define IN_MODE(MODE, TYPE, EXPRESSION)                                        \
  [&] {                                                                        \
    std::fesetround(MODES[MODE]);                                              \
    volatile TYPE result = EXPRESSION;                                         \
    std::fesetround(FE_TONEAREST);                                             \
    return TYPE(result);                                                       \
  }()

#define ROUNDING_TEST(NAME, TYPE, BITS, FOUND, WANTED)                         \
  TEST(Rounding, NAME) {                                                       \
    compare<TYPE, BITS>(#NAME, 500, [](TYPE a, TYPE b, TYPE c, int mode) {     \
      volatile TYPE x = a, y = b, z = c;                                       \
      (void)y, (void)z;                                                        \
      TYPE found = FOUND;                                                      \
      return std::pair<TYPE, TYPE>(found, IN_MODE(mode, TYPE, WANTED));        \
    });                                                                        \
  }

ROUNDING_TEST(AddFloat, float, uint32_t, __gpuexec_ptx_add_f32(a, b, mode),
              x + y)
ROUNDING_TEST(MultiplyFloat, float, uint32_t, __gpuexec_ptx_mul_f32(a, b, mode),
              x *y)
ROUNDING_TEST(DivideFloat, float, uint32_t, __gpuexec_ptx_div_f32(a, b, mode),
              x / y)
ROUNDING_TEST(RootFloat, float, uint32_t, __gpuexec_ptx_sqrt_f32(a, mode),
              std::sqrt(x))
ROUNDING_TEST(FusedFloat, float, uint32_t, __gpuexec_ptx_fma_f32(a, b, c, mode),
              std::fma(x, y, z))
ROUNDING_TEST(AddDouble, double, uint64_t, __gpuexec_ptx_add_f64(a, b, mode),
              x + y)
ROUNDING_TEST(MultiplyDouble, double, uint64_t,
              __gpuexec_ptx_mul_f64(a, b, mode), x *y)
ROUNDING_TEST(DivideDouble, double, uint64_t, __gpuexec_ptx_div_f64(a, b, mode),
              x / y)
ROUNDING_TEST(RootDouble, double, uint64_t, __gpuexec_ptx_sqrt_f64(a, mode),
              std::sqrt(x))
ROUNDING_TEST(FusedDouble, double, uint64_t,
              __gpuexec_ptx_fma_f64(a, b, c, mode), std::fma(x, y, z))

/// Products near the addend, so that nearly all of the sum is cancelled.
TEST(Rounding, FusedDoubleThatCancels) {
  std::mt19937_64 random(3);
  for (int n = 0; n < 30'000; ++n) {
    int mode = 1 + n % 3;
    volatile double x = of<double>((random() >> 12) | 0x3ff0000000000000);
    volatile double y = of<double>((random() >> 12) | 0x3fe0000000000000);
    volatile double z = -(x * y);
    if (n & 4)
      z = of<double>(bits<uint64_t>(double(z)) ^ (random() & 3));
    double found = __gpuexec_ptx_fma_f64(x, y, z, mode);
    double wanted = IN_MODE(mode, double, std::fma(x, y, z));
    expect_same<double, uint64_t>(found, wanted, "fma", mode, x, y, z);
  }
}

TEST(Rounding, NarrowsAsTheProcessor) {
  for (double number : numbers<double, uint64_t>(20'000))
    for (int mode = 0; mode < 4; ++mode) {
      volatile double x = number;
      float wanted = IN_MODE(mode, float, float(x));
      auto found =
          of<float>(uint32_t(__gpuexec_ptx_encode(number, F32, mode, false)));
      expect_same<float, uint32_t>(found, wanted, "f32", mode, float(number), 0,
                                   0);
      if (std::isnan(number))
        continue;
      auto half = of<_Float16>(
          uint16_t(__gpuexec_ptx_encode(number, F16, TO_NEAREST, false)));
      ASSERT_EQ(bits<uint16_t>(half), bits<uint16_t>(_Float16(number)))
          << std::hexfloat << number;
    }
}

TEST(Rounding, IntegersAsTheProcessor) {
  std::mt19937_64 random(9);
  for (int n = 0; n < 20'000; ++n) {
    volatile uint64_t x = random() >> random() % 64;
    for (int mode = 0; mode < 4; ++mode) {
      float f = IN_MODE(mode, float, float(uint64_t(x)));
      double d = IN_MODE(mode, double, double(int64_t(x >> 1)));
      ASSERT_EQ(__gpuexec_ptx_encode_integer(x, 0, F32, mode),
                bits<uint32_t>(f))
          << x << " mode " << mode;
      ASSERT_EQ(__gpuexec_ptx_encode_integer(x >> 1, 0, F64, mode),
                bits<uint64_t>(d))
          << x << " mode " << mode;
    }
  }
}

TEST(Rounding, EightBitsThereAndBack) {
  for (int format : {E4M3, E5M2})
    for (uint32_t code = 0; code < 256; ++code) {
      auto half = of<_Float16>(uint16_t(__gpuexec_ptx_decode8(code, format)));
      if (std::isnan(double(half)))
        continue;
      EXPECT_EQ(__gpuexec_ptx_encode(double(half), format, TO_NEAREST, 0), code)
          << "format " << format;
    }
}

TEST(Rounding, SmallFormatsSaturate) {
  EXPECT_EQ(__gpuexec_ptx_encode(1e9, E4M3, TO_NEAREST, 1), 0x7eu); // 448
  EXPECT_EQ(__gpuexec_ptx_encode(-1e9, E5M2, TO_NEAREST, 1), 0xfbu);
  EXPECT_EQ(__gpuexec_ptx_encode(1e9, F16, TO_NEAREST, 1), 0x7bffu);
  EXPECT_EQ(__gpuexec_ptx_encode(1e9, F16, TO_ZERO, 0), 0x7bffu);
  EXPECT_EQ(__gpuexec_ptx_encode(1e9, F16, UP, 0), 0x7c00u);
  EXPECT_EQ(__gpuexec_ptx_encode(-INFINITY, E4M3, TO_NEAREST, 1), 0xfeu);
  EXPECT_EQ(__gpuexec_ptx_encode(NAN, E4M3, TO_NEAREST, 1), 0x7fu);
  EXPECT_EQ(__gpuexec_ptx_encode(NAN, BF16, TO_NEAREST, 0), 0x7fffu);
}

TEST(Rounding, TiesAwayFromZero) {
  // A tie of tf32: one bit below its ten.
  double tie = 1 + std::ldexp(1, -11);
  EXPECT_EQ(__gpuexec_ptx_encode(tie, TF32, TIES_AWAY, 0), 0x3f802000u);
  EXPECT_EQ(__gpuexec_ptx_encode(tie, TF32, TO_NEAREST, 0), 0x3f800000u);
  EXPECT_EQ(__gpuexec_ptx_encode(-tie, TF32, TIES_AWAY, 0), 0xbf802000u);
}

} // namespace
