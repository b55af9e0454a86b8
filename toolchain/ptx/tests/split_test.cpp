// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/ptx/split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuexec;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr char MODULE[] = R"(//
.version 8.8
.target sm_90
.address_size 64

	// .globl	_start
.func  (.param .b32 func_retval0) own
(
	.param .b64 own_param_0
)
;
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0
)
;
.weak .func other()
;
.global .align 1 .b8 text[3] = {104, 105, 0};
.visible .global .align 4 .u32 count = 1;
.global .align 8 .u64 table[3] = {generic(text), own, 0};
.weak .global .align 8 .u64 second[2] = {other, generic(table)};
.global .align 8 .u64 third = generic(second);
.visible .entry _start(
	.param .u64 _start_param_0
)
{
	ret;
}
	// .globl	own
.func  (.param .b32 func_retval0) own(
	.param .b64 own_param_0
)
{
	{ // callseq 0, 0
	call.uni (retval0), own, (param0);
	} // callseq 0
	ret;
}
.weak .func other()
.noreturn
{
	trap;
}
)";

TEST(SplitPtx, TablesOfFunctionsBecomeAModuleOfTheirOwn) {
  const SplitPtx split = split_ptx(MODULE, 1);
  EXPECT_EQ(split.moved, 2u);
  EXPECT_EQ(split.tables, R"(//
.version 8.8
.target sm_90
.address_size 64
.extern .func other()
;
.extern .func  (.param .b32 func_retval0) own
(
	.param .b64 own_param_0
)
;
.extern .global .align 1 .b8 text[3];
.visible .global .align 8 .u64 table[3] = {generic(text), own, 0};
.weak .global .align 8 .u64 second[2] = {other, generic(table)};
)");
}

TEST(SplitPtx, WhatTablesNameIsVisibleInTheMainModule) {
  const std::string main = split_ptx(MODULE, 1).main;
  EXPECT_THAT(main,
              HasSubstr("\n.visible .func  (.param .b32 func_retval0) own\n"));
  EXPECT_THAT(main,
              HasSubstr("\n.visible .func  (.param .b32 func_retval0) own(\n"));
  EXPECT_THAT(main, HasSubstr("\n.weak .func other()\n;\n"));
  EXPECT_THAT(
      main,
      HasSubstr("\n.visible .global .align 1 .b8 text[3] = {104, 105, 0};\n"));
  EXPECT_THAT(main, HasSubstr("\n.visible .global .align 4 .u32 count = 1;\n"));
  EXPECT_THAT(main, HasSubstr("\n.extern .global .align 8 .u64 table[3];\n"));
  EXPECT_THAT(main, HasSubstr("\n.extern .global .align 8 .u64 second[2];\n"));
  EXPECT_THAT(main,
              HasSubstr("\n.global .align 8 .u64 third = generic(second);\n"));
  EXPECT_THAT(
      main, HasSubstr("\n.extern .func  (.param .b32 func_retval0) vprintf\n"));
  EXPECT_THAT(main, Not(HasSubstr("generic(text), own")));
}

TEST(SplitPtx, OtherModulesStayAsTheyAre) {
  EXPECT_EQ(split_ptx(MODULE, 6).moved, 0u); // five declarations, definitions
  std::string part = MODULE;
  part.replace(part.find("_start("), 7, "kernel(");
  EXPECT_EQ(split_ptx(part, 1).moved, 0u); // no whole program
  EXPECT_EQ(split_ptx("", 0).moved, 0u);
  EXPECT_EQ(
      split_ptx(std::string(MODULE) + "\t.section\t.debug_info\n", 1).moved,
      0u);
  EXPECT_EQ(
      split_ptx(".address_size 64\n.entry _start(\n{\n}\n.func f(\n)\n", 0)
          .moved,
      0u);
  EXPECT_EQ(
      split_ptx(".address_size 64\n.entry _start(\n{\n}\n.func\n.global \n;\n",
                0)
          .moved,
      0u);
  EXPECT_EQ(split_ptx(".address_size 64\n.entry _start(\n{\n}\n.func (\n{\n", 0)
                .moved,
            0u);
}

} // namespace
