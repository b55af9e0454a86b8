//===-- drivers/tests/drivers_test.cpp - Tables, bindings and fakes -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cuda.h"
#include "drivers/hsa.h"
#include <gtest/gtest.h>

namespace {

void *open_library(const char *path) {
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

TEST(Binding, StoresTheFunctionsInTheOrderOfTheirNames) {
#define FUNCTIONS(F) F(strlen) F(memcmp)
  struct {
    FUNCTIONS(DRIVER_MEMBER)
  } functions;
  ASSERT_EQ(bind_functions(RTLD_DEFAULT, FUNCTIONS(DRIVER_NAME), &functions),
            nullptr);
  EXPECT_EQ(functions.strlen("four"), 4u);
  EXPECT_EQ(functions.memcmp("same", "same", 4), 0);
#undef FUNCTIONS
}

TEST(Binding, NamesTheFirstFunctionThatTheLibraryLacks) {
  void *functions[3] = {};
  EXPECT_STREQ(
      bind_functions(RTLD_DEFAULT, "strlen\0cuNone\0cuOther\0", functions),
      "cuNone");
}

class FakeDriver : public testing::TestWithParam<const char *> {};

TEST_P(FakeDriver, ExportsEveryFunctionOfTheTable) {
  void *library = open_library(GetParam());
  ASSERT_TRUE(library) << dlerror();
#define CUDA_FUNCTION(RESULT, NAME, PARAMETERS)                                \
  EXPECT_TRUE(dlsym(library, #NAME)) << #NAME;
#include "drivers/cuda.def"
}

TEST_P(FakeDriver, RefusesByNameWhatItDoesNotImplement) {
  struct {
    DRIVER_MEMBER(cuCtxSynchronize)
  } driver;
  void *library = open_library(GetParam());
  ASSERT_TRUE(library) << dlerror();
  ASSERT_EQ(bind_functions(library, DRIVER_NAME(cuCtxSynchronize), &driver),
            nullptr);
  testing::internal::CaptureStderr();
  EXPECT_EQ(driver.cuCtxSynchronize(), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "fake libcuda: cuCtxSynchronize is not implemented\n");
}

TEST(Emulator, ExportsEveryFunctionOfTheTable) {
  void *library = open_library(EMULATOR_LIBRARY);
  ASSERT_TRUE(library) << dlerror();
#define HSA_FUNCTION(RESULT, NAME, PARAMETERS)                                 \
  EXPECT_TRUE(dlsym(library, #NAME)) << #NAME;
#include "drivers/hsa.def"
}

INSTANTIATE_TEST_SUITE_P(Libraries, FakeDriver, testing::Values(FAKE_DRIVER));

} // namespace
