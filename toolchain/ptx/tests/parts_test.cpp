// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/ptx/parts.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuexec;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

namespace {

constexpr char HEAD[] = R"(//
.version 7.8
.target sm_90
.address_size 64

)";

constexpr char START[] = R"(.visible .entry _start(
	.param .u64 _start_param_0
)
{
	call.uni first, ();
	ret;
}
)";

/// The module; a function more, or a string more, changes LLVM's numbers.
std::string program(bool more) {
  const std::string n = more ? "7" : "3";
  return std::string(HEAD) + ".func first\n()\n;\n" +
         ".weak .func second(\n\t.param .b64 "
         "second_param_0\n)\n.noreturn\n;\n" +
         ".func  (.param .b64 func_retval0) malloc\n(\n\t.param .b64 "
         "malloc_param_0\n)\n;\n" +
         ".extern .func elsewhere\n()\n;\n" +
         (more ? ".global .align 1 .b8 _$_str2[2] = {98};\n" : "") +
         ".global .align 1 .b8 _$_str" + n + "[2] = {97};\n" +
         ".global .align 1 .pred flag;\n" +
         ".const .align 8 .b8 table[8] = {1};\n" +
         ".visible .global .align 8 .u64 pointers[2] = {second, "
         "generic(_$_str" +
         n + ")};\n" + ".extern .global .align 4 .u32 outside;\n" + START +
         "\t// .globl first\n.func first()\n{\n\t.local .align 8 .b8 "
         "__local_depot" +
         n + "[8];\n$L__BB" + n + "_1:\n\t{ // callseq " + n +
         "0, 0\n\tprototype_" + n +
         " : .callprototype ()_ ();\n\tcall %rd1, (), prototype_" + n +
         ";\n\t} // callseq " + n + "0\n\tmov.b64 %rd2, _$_str" + n +
         ";\n\tld.global.u8 %r1, [flag];\n\tcall.uni (retval0), malloc, "
         "(param0);\n\tcall.uni elsewhere, ();\n\tbra.uni $L__BB" +
         n + "_1;\n}\n" +
         ".weak .func second(\n\t.param .b64 second_param_0\n)\n.noreturn\n"
         "{\n\ttrap;\n}\n" +
         ".func  (.param .b64 func_retval0) malloc(\n\t.param .b64 "
         "malloc_param_0\n)\n{\n\tld.const.b64 %rd1, [table];\n\tret;\n}\n";
}

// Of a program with lines, but without other debug information, LLVM names the
// files at the end.
TEST(PtxParts, FilesOfLines) {
  const std::string files = "\t.file\t1 \"a.c\"\n\t.file\t2 \"b.c\"\n";
  const auto parts = ptx_parts(
      program(false) + "\t.section\t.debug_macinfo\t{\t}\n" + files, 0, 1);
  ASSERT_THAT(parts, SizeIs(5));
  for (size_t i = 0; i < parts.size(); ++i)
    if (i != 1) // the module of variables
      EXPECT_THAT(parts[i], HasSubstr(files));
}

TEST(PtxParts, KernelsVariablesAndFunctionsAreModules) {
  const auto parts = ptx_parts(program(false), 0, 1);
  ASSERT_THAT(parts, SizeIs(5));
  for (const std::string &part : parts)
    EXPECT_EQ(part.substr(0, sizeof(HEAD) - 2) + "\n", HEAD);
  EXPECT_THAT(parts[0], HasSubstr(".extern .func first\n()\n;\n"));
  EXPECT_THAT(parts[0], HasSubstr(".visible .entry _start("));
  EXPECT_THAT(parts[1], HasSubstr(".visible .const .align 8 .b8 table[8] = "));
  EXPECT_THAT(parts[1], HasSubstr(".visible .global .align 1 .u8 flag;\n"));
  EXPECT_THAT(parts[1], HasSubstr(".extern .global .align 4 .u32 outside;\n"));
  EXPECT_THAT(parts[1], HasSubstr(".extern .func second(\n\t.param .b64 "
                                  "second_param_0\n)\n.noreturn\n;\n"));
  EXPECT_THAT(parts[2], HasSubstr(".visible .func first\n()\n;\n"));
  EXPECT_THAT(parts[2], HasSubstr(".visible .func first()\n{\n"));
  EXPECT_THAT(parts[2], HasSubstr(".extern .global .align 1 .u8 flag;\n"));
  EXPECT_THAT(parts[2], HasSubstr(".extern .func elsewhere\n()\n;\n"));
  EXPECT_THAT(parts[2], Not(HasSubstr("pointers")));
  EXPECT_THAT(parts[3], HasSubstr(".weak .func second("));
  EXPECT_THAT(parts[4], HasSubstr(".extern .const .align 8 .b8 table[8];\n"));
}

TEST(PtxParts, NamesOfCudaAreNotUsed) {
  const auto parts = ptx_parts(program(false), 0, 1);
  ASSERT_THAT(parts, SizeIs(5));
  EXPECT_THAT(parts[2], HasSubstr("call.uni (retval0), malloc$, (param0)"));
  EXPECT_THAT(parts[4],
              HasSubstr(".visible .func  (.param .b64 func_retval0) malloc$("));
}

TEST(PtxParts, NumbersOfTheModuleDoNotChangeParts) {
  const auto before = ptx_parts(program(false), 0, 1);
  const auto after = ptx_parts(program(true), 0, 1);
  ASSERT_EQ(before.size(), after.size());
  for (size_t i = 0; i < before.size(); ++i)
    if (i == 1)
      EXPECT_NE(before[i], after[i]); // the variables
    else
      EXPECT_EQ(before[i], after[i]) << i;
}

TEST(PtxParts, FunctionsAreTogetherUpToASize) {
  EXPECT_THAT(ptx_parts(program(false), 0, 1000000), SizeIs(3));
}

TEST(PtxParts, WhatStaysWhole) {
  const std::string text = program(false);
  EXPECT_THAT(ptx_parts(text, 1000000, 1), IsEmpty());
  for (const char *more : {".shared .align 4 .u32 block;\n", ".alias a, b;\n",
                           "\t.section\t.debug_info\n"})
    EXPECT_THAT(ptx_parts(text + more, 0, 1), IsEmpty()) << more;
  std::string object = text;
  object.replace(object.find("_start("), 7, "kernel(");
  EXPECT_THAT(ptx_parts(object, 0, 1), IsEmpty());
}

} // namespace
