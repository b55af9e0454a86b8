//===-- services/blas/device/here/tests/here_test.cpp - Small calls -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread of a device does itself, compiled for the host, is what the
// host's CBLAS does, with all letters, orders and increments.
//===----------------------------------------------------------------------===//
#include "services/blas/cuda/tests/random_calls.h"
#include "gtest/gtest.h"
#include <cfloat>
#include <cmath>

extern "C" {
#include "services/blas/device/here/here.h"
#include "services/blas/device/here/tests/here_calls.h"
}

namespace {

using namespace gpuexec::blas;

constexpr unsigned ROUNDS = 300;

/// The sums of small integers are exact, roots and quotients are not.
template <typename Real>
bool are_close(const void *ours, const void *theirs, size_t bytes) {
  const Real *a = static_cast<const Real *>(ours);
  const Real *b = static_cast<const Real *>(theirs);
  const Real error = 64 * std::numeric_limits<Real>::epsilon();
  for (size_t i = 0; i < bytes / sizeof(Real); ++i)
    if (a[i] != b[i] && !(std::fabs(a[i] - b[i]) <= error * std::fabs(b[i])))
      return false;
  return true;
}

bool are_close(unsigned function, const void *ours, const void *theirs,
               size_t bytes) {
  return is_single(references[function].name)
             ? are_close<float>(ours, theirs, bytes)
             : are_close<double>(ours, theirs, bytes);
}

/// Rounds in which there was something to be done, until one differs.
unsigned compare(unsigned function) {
  std::mt19937 random(function + 1);
  const char *kinds = cublas_argument_kinds(function);
  unsigned done = 0;
  for (unsigned round = 0; round < ROUNDS; ++round) {
    Call ours = make_call(function, random);
    Call theirs = copy_of(ours, kinds);
    if (!here_calls[function](ours.arguments.data(), ours.result))
      continue;
    references[function].call(theirs.arguments.data(), theirs.result);
    bool same =
        are_close(function, ours.result, theirs.result, sizeof ours.result);
    for (size_t i = 0; i < ours.arrays.size(); ++i)
      same &= are_close(function, ours.arrays[i].data(),
                        theirs.arrays[i].data(), DOUBLES * sizeof(double));
    EXPECT_TRUE(same) << references[function].name << ":"
                      << describe(ours, kinds);
    if (!same)
      break;
    ++done;
  }
  return done;
}

TEST(Here, DoesWhatCblasDoes) {
  unsigned functions = 0;
  for (unsigned i = 0; i < cublas_function_count; ++i)
    if (here_calls[i]) {
      EXPECT_GT(compare(i), ROUNDS / 4) << references[i].name;
      ++functions;
    }
  EXPECT_EQ(functions, 84u);
}

TEST(Here, NormsOfLargeAndSmallNumbers) {
  const double large[] = {3e300, 4e300}, small[] = {3e-300, 4e-300};
  const double least[] = {3 * 0x1p-1074, 4 * 0x1p-1074};
  const double none[] = {1, NAN}, infinite[] = {1, INFINITY}, zeros[2] = {0, 0};
  EXPECT_DOUBLE_EQ(here_dnrm2(2, large, 1), 5e300);
  EXPECT_DOUBLE_EQ(here_dnrm2(2, small, 1), 5e-300);
  EXPECT_EQ(here_dnrm2(2, least, 1), 5 * 0x1p-1074);
  EXPECT_TRUE(std::isnan(here_dnrm2(2, none, 1)));
  EXPECT_EQ(here_dnrm2(2, infinite, 1), INFINITY);
  EXPECT_EQ(here_dnrm2(2, zeros, 1), 0);
  const float large_singles[] = {3e30f, 4e30f};
  EXPECT_FLOAT_EQ(here_snrm2(2, large_singles, 1), 5e30f);
}

// What beta 0 replaces may be no number; with alpha 0 what is multiplied may
// be.
TEST(Here, NumbersThatAreNoneAreIgnored) {
  const double a[4] = {NAN, NAN, NAN, NAN}, x[2] = {1, 2};
  double y[4] = {NAN, NAN, NAN, NAN};
  const double ones[4] = {1, 1, 1, 1};
  here_dgemv(101, 111, 2, 2, 1, ones, 2, x, 1, 0, y, 1);
  EXPECT_EQ(y[0], 3);
  here_dgemv(101, 111, 2, 2, 0, a, 2, x, 1, 2, y, 1);
  EXPECT_EQ(y[0], 6);
  here_dgemm(102, 111, 111, 2, 2, 2, 1, ones, 2, ones, 2, 0, y, 2);
  EXPECT_EQ(y[3], 2);
  here_dgemm(102, 111, 111, 2, 2, 2, 0, a, 2, ones, 2, 3, y, 2);
  EXPECT_EQ(y[3], 6);
  here_daxpy(2, 0, a, 1, y, 1);
  EXPECT_EQ(y[1], 6);
}

// 1 times an infinite complex number is not computed.
TEST(Here, InfiniteNumbersStayThatBetaDoesNotChange) {
  const double numbers[2] = {1, 2}, one[2] = {1, 0}, none[2] = {0, 0};
  double c[2] = {INFINITY, 0};
  const blas_argument arguments[] = {
      {.integer = 102},
      {.integer = 111},
      {.integer = 111},
      {.integer = 1},
      {.integer = 1},
      {.integer = 1},
      {.number = none},
      {.array = reinterpret_cast<uintptr_t>(numbers)},
      {.integer = 1},
      {.array = reinterpret_cast<uintptr_t>(numbers)},
      {.integer = 1},
      {.number = one},
      {.array = reinterpret_cast<uintptr_t>(c)},
      {.integer = 1}};
  unsigned zgemm = 0;
  while (strcmp(references[zgemm].name, "cblas_zgemm") != 0)
    ++zgemm;
  EXPECT_TRUE(here_calls[zgemm](arguments, nullptr));
  EXPECT_EQ(c[0], INFINITY);
  EXPECT_EQ(c[1], 0);
}

} // namespace
