//===-- toolchain/gpucc/tests/ptx_link_test.cpp - Undefined in PTX --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/ptx_link.h"
#include <gmock/gmock.h>
#include <sstream>

using gpuexec::undefined_symbols;
using testing::ElementsAre;

TEST(UndefinedSymbols, functions_and_variables_that_are_only_declared) {
  std::istringstream ptx(R"(
.extern .func missing_function
(
.extern .func  (.param .b32 func_retval0) missing_with_result
.extern .global .align 4 .u32 missing_variable;
.extern .const .b8 missing_table[];
.extern .shared .align 8 .b8 launch_chooses[];
.extern .func  (.param .b32 func_retval0) vprintf
.visible .func defined()
)");
  EXPECT_THAT(undefined_symbols(ptx),
              ElementsAre("missing_function", "missing_with_result",
                          "missing_variable", "missing_table"));
}
