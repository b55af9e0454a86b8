//===-- emulator/cuda/tests/kernel_texts_test.cpp - PTX by kernels --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/kernel_texts.h"
#include "gtest/gtest.h"

using gpuexec::cuda::KernelTexts;

namespace {

const std::string HEAD =
    "//\n// a compiler's\n//\n.version 7.8\n.target sm_80\n"
    ".address_size 64\n\n.file 1 \"a.cu\"\n";
const std::string DATA = ".visible .global .align 4 .u32 count = 7; // ; {\n"
                         ".const .align 8 .b8 table[16] = {1, 2, 0xFF(name)};\n"
                         ".weak .shared .align 4 .b8 block[44];\n"
                         ".global .align 8 .u64 unused[1];\n";
const std::string FUNCTIONS =
    ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
    ".func helper();\n"
    ".func (.param .b32 r) twice (.param .b32 x) { ret; }\n"
    ".func helper() { .reg .b32 %r<3>;\n"
    "  @%p1 call.uni (%r1), twice, (%r2); ret; }\n";
const std::string KERNELS =
    ".visible .entry first(.param .u64 a)\n.maxntid 64, 1, 1 {\n"
    ".loc 1 2 3\nL1: call helper, (); ld.global.u32 %r1, [count+4]; "
    "st.shared.u32 "
    "[block], %r1; bra L1; }\n"
    ".entry second() { { .reg .b64 %t; mov.u64 %t, table; } call (r), vprintf, "
    "(a, b); ret; }\n";

std::unique_ptr<KernelTexts> divided(const std::string &text) {
  return KernelTexts::divide(text);
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != text.npos;
}

TEST(KernelTexts, AKernelComesWithWhatItReaches) {
  auto texts = divided(HEAD + DATA + FUNCTIONS + KERNELS);
  ASSERT_TRUE(texts);
  EXPECT_EQ(texts->kernels(), (std::vector<std::string>{"first", "second"}));
  const std::string first = texts->text_of("first");
  for (const char *part :
       {".version 7.8", ".file 1 \"a.cu\"", ".weak .shared", ".func helper();",
        ".func helper() {", "twice", ".visible .entry first",
        ".extern .global .align 4 .u32 count;"})
    EXPECT_TRUE(has(first, part)) << part << "\n" << first;
  for (const char *part : {"table", "unused", "second", "vprintf", "= 7"})
    EXPECT_FALSE(has(first, part)) << part << "\n" << first;
  const std::string second = texts->text_of("second");
  EXPECT_TRUE(has(second, ".extern .const .align 8 .b8 table [ 16 ];"));
  EXPECT_TRUE(has(second, ".extern .func (.param .b32 r) vprintf"));
  EXPECT_FALSE(has(second, "helper"));
  EXPECT_EQ(texts->text_of("third"), "");
  EXPECT_FALSE(has(second, ".file")); // it has no lines, and is kept for all
  EXPECT_EQ(texts->text_of("helper"), "");
}

TEST(KernelTexts, VariablesInMemoryAreATextOfTheirOwn) {
  auto texts = divided(HEAD + DATA + FUNCTIONS + KERNELS);
  ASSERT_TRUE(texts);
  const std::string variables = texts->variables();
  EXPECT_TRUE(has(variables, ".visible .global .align 4 .u32 count = 7;"));
  EXPECT_TRUE(has(variables, "unused"));
  EXPECT_FALSE(has(variables, ".entry"));
  EXPECT_FALSE(has(variables, ".shared"));
  EXPECT_EQ(
      divided(HEAD + ".entry a() { ret; }\n.entry b() { ret; }\n")->variables(),
      "");
}

TEST(KernelTexts, WhatMustStayTogetherIsNotDivided) {
  const std::string two = HEAD + FUNCTIONS + KERNELS + DATA;
  ASSERT_TRUE(divided(two));
  for (const char *more :
       {".global .u64 pointer = helper;", // functions' addresses
        ".global .u64 pointers[2] = {0, generic(twice)};",
        ".entry taker() { mov.u64 %rd1, twice; ret; }",
        ".entry caller() { p: .callprototype _ (); call %rd1, (), p; }",
        ".entry launcher() { mov.u64 %rd1, first; ret; }",
        ".global .texref picture;", ".alias a, b;",
        ".section .debug_info { .b8 1 }", ".version 7.8\n.target sm_80\n",
        ".global .attribute(.managed) .u32 shared_with_host;",
        ".global .u32 one, other;", ".global .u64 __llvm_rpc_client;",
        "nonsense", ".entry open() { ret;", ".global", "}"})
    EXPECT_FALSE(divided(two + more)) << more;
}

TEST(KernelTexts, OneKernelAloneIsNotDivided) {
  EXPECT_FALSE(divided(HEAD + ".entry a() { ret; }\n"));
  EXPECT_FALSE(divided(HEAD));
  EXPECT_FALSE(divided(""));
  EXPECT_FALSE(divided(HEAD + ".global .u32 x;"));
  EXPECT_TRUE(divided(HEAD + ".global .u32 x;.entry a() { ret; }\n"));
}

} // namespace
