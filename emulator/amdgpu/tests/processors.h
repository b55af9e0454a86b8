//===-- emulator/amdgpu/tests/processors.h - Tests of each GPU --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_TESTS_PROCESSORS_H
#define GPUEXEC_EMULATOR_AMDGPU_TESTS_PROCESSORS_H

#include "gtest/gtest.h"

#include <string>

/// Runs the tests of a suite, whose parameter is a processor's name, for one
/// processor of each kind that the emulator has.
#define GPUEXEC_TEST_ON_EACH_PROCESSOR(SUITE)                                  \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      All, SUITE,                                                              \
      testing::Values("gfx942", "gfx90a", "gfx1010", "gfx1030", "gfx1100",     \
                      "gfx1201"),                                              \
      [](const auto &info) { return std::string(info.param); })

#endif
