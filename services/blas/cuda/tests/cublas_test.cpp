//===-- services/blas/cuda/tests/cublas_test.cpp - Calls of cuBLAS --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function, with all letters and both orders, is called through the layer
// and a stand-in of cuBLAS that knows no order, and compared with CBLAS.
//===----------------------------------------------------------------------===//
#include "services/blas/cuda/tests/random_calls.h"
#include "gtest/gtest.h"

namespace {

using namespace gpuexec::blas;

constexpr unsigned ROUNDS = 200;

struct Outcome {
  unsigned same = 0, by_the_host = 0;
};

Outcome compare(const cublas &library, void *handle, unsigned function) {
  std::mt19937 random(function + 1);
  const char *kinds = cublas_argument_kinds(function);
  Outcome outcome;
  for (unsigned round = 0; round < ROUNDS; ++round) {
    Call ours = make_call(function, random);
    Call theirs = copy_of(ours, kinds);
    const int status = cublas_call(&library, handle, function,
                                   ours.arguments.data(), ours.result);
    if (status == CUBLAS_CANNOT) {
      ++outcome.by_the_host;
      continue;
    }
    EXPECT_EQ(status, 0);
    references[function].call(theirs.arguments.data(), theirs.result);
    const bool same = !memcmp(ours.result, theirs.result, sizeof ours.result) &&
                      ours.arrays == theirs.arrays;
    EXPECT_TRUE(same) << references[function].name << ":"
                      << describe(ours, kinds);
    if (!same)
      break;
    ++outcome.same;
  }
  return outcome;
}

struct CublasTest : testing::Test {
  void SetUp() override {
    const char *error = open_cublas(&library, CUBLAS_DOUBLE);
    ASSERT_EQ(error, nullptr) << error;
    ASSERT_EQ(library.create(&handle), 0);
  }
  void TearDown() override {
    if (library.library)
      close_cublas(&library);
  }
  cublas library = {};
  void *handle = nullptr;
};

TEST_F(CublasTest, DoesWhatCblasDoes) {
  ASSERT_EQ(cublas_function_count, sizeof references / sizeof *references);
  unsigned functions = 0;
  for (unsigned i = 0; i < cublas_function_count; ++i) {
    ASSERT_STREQ(cublas_function_name(i), references[i].name);
    const Outcome outcome = compare(library, handle, i);
    functions += outcome.same != 0;
  }
  EXPECT_EQ(functions, 136u);
}

TEST_F(CublasTest, LeavesToTheHostWhatItHasNot) {
  for (unsigned i = 0; i < cublas_function_count; ++i)
    if (!strcmp(cublas_function_name(i), "cblas_dsdot")) {
      const blas_argument arguments[5] = {};
      EXPECT_EQ(cublas_call(&library, handle, i, arguments, nullptr),
                CUBLAS_CANNOT);
    }
  EXPECT_EQ(cublas_call(&library, handle, UINT32_MAX, nullptr, nullptr),
            CUBLAS_CANNOT);
}

TEST(Cublas, ThatIsNotThere) {
  cublas library;
  EXPECT_STREQ(strstr(open_cublas(&library, "/nowhere/libcublas.so"),
                      "cannot open shared object file"),
               "cannot open shared object file: No such file or directory");
}

} // namespace
