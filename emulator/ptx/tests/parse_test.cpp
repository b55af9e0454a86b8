//===-- emulator/ptx/tests/parse_test.cpp - PTX text to its tree ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/parse/syntax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuexec::ptx;
using testing::HasSubstr;

namespace {

const std::string HEADER = ".version 7.8\n.target sm_80\n.address_size 64\n";

/// A parsed text that the test keeps.
struct Parsed {
  explicit Parsed(const std::string &text) : text(HEADER + text) {
    llvm::Expected<Module> result = parse(this->text, "x.ptx");
    if (result)
      module = std::move(*result);
    else
      error = llvm::toString(result.takeError());
  }
  /// The statement of a body of the last function.
  const Statement &at(size_t n) const {
    return module.functions.back().body->statements[n];
  }
  const Instruction &instruction(size_t n) const {
    EXPECT_EQ(at(n).kind, Statement::Kind::instruction);
    return *at(n).instruction;
  }

  std::string text, error;
  Module module;
};

Parsed body(const std::string &text) {
  return Parsed(".visible .entry k()\n{\n" + text + "\n}\n");
}

std::string error_of(const std::string &text) { return Parsed(text).error; }

TEST(Parse, Header) {
  const Parsed parsed("");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.module.version_major, 7u);
  EXPECT_EQ(parsed.module.version_minor, 8u);
  EXPECT_EQ(parsed.module.target, "sm_80");
}

TEST(Parse, VersionTen) {
  const std::string text = ".version 8.10\n";
  llvm::Expected<Module> module = parse(text, "x");
  ASSERT_TRUE(bool(module));
  EXPECT_EQ(module->version_minor, 10u);
}

TEST(Parse, KernelWithParameters) {
  const Parsed parsed(
      ".visible .entry k(.param .u64 .ptr .global .align 4 a,\n"
      " .param .align 8 .b8 s[24])\n.maxntid 128, 2, 1\n.minnctapersm 2\n"
      "{ ret; }");
  ASSERT_EQ(parsed.error, "");
  const Function &kernel = parsed.module.functions[0];
  EXPECT_TRUE(kernel.is_kernel && kernel.is_visible);
  ASSERT_EQ(kernel.parameters.size(), 2u);
  EXPECT_TRUE(kernel.parameters[0].is_pointer);
  EXPECT_EQ(kernel.parameters[0].alignment_in_bytes(), 8u);
  EXPECT_EQ(kernel.parameters[1].bytes(), 24u);
  EXPECT_EQ(kernel.max_threads[1], 2u);
  EXPECT_EQ(kernel.min_blocks, 2u);
}

TEST(Parse, InstructionWithGuard) {
  const Parsed parsed = body("@!%p1 ld.global.v2.f32 {%f1, _}, [%rd1+-4];");
  ASSERT_EQ(parsed.error, "");
  const Instruction &load = parsed.instruction(0);
  EXPECT_EQ(load.opcode, "ld");
  EXPECT_EQ(load.guard, "%p1");
  EXPECT_TRUE(load.guard_negated && load.has("v2"));
  EXPECT_EQ(load.type(), Type::f32);
  EXPECT_EQ(load.space(), Space::global);
  EXPECT_EQ(load.line, 6u);
  ASSERT_EQ(load.operands.size(), 2u);
  EXPECT_EQ(load.operands[0].parts[1].kind, Operand::Kind::sink);
  EXPECT_EQ(load.operands[1].kind, Operand::Kind::address);
  EXPECT_EQ(load.operands[1].integer, -4);
}

TEST(Parse, Operands) {
  const Parsed parsed = body("x %r1|%p1, !%p2, -%r3, %tid.y, -5, 0xFFU, "
                             "0f3F800000, 1.5, WARP_SZ, var+8, (1+2)*3;");
  // (1+2)*3 is no operand of PTX: a list, as of calls.
  EXPECT_THAT(parsed.error, HasSubstr("x.ptx:6: error: ','"));
  const Parsed good = body("x %r1|%p1, !%p2, -%r3, %tid.y, -5, 0xFFU, "
                           "0f3F800000, 1.5, WARP_SZ, var+8, 1+2*3;");
  ASSERT_EQ(good.error, "");
  const auto operands = good.instruction(0).operands;
  EXPECT_EQ(operands[0].kind, Operand::Kind::pair);
  EXPECT_TRUE(operands[1].negated && operands[2].negated);
  EXPECT_EQ(operands[3].component, 'y');
  EXPECT_EQ(operands[4].integer, -5);
  EXPECT_EQ(operands[5].integer, 255);
  EXPECT_EQ(operands[6].kind, Operand::Kind::real32);
  EXPECT_EQ(operands[7].integer, 0x3ff8000000000000);
  EXPECT_EQ(operands[8].integer, 32);
  EXPECT_EQ(operands[9].integer, 8);
  EXPECT_EQ(operands[10].integer, 7);
}

TEST(Parse, LongModifiers) {
  const Parsed parsed = body("ld.global.nc.L2::128B.v4.f32 {%f1, %f2, %f3, "
                             "%f4}, [%rd1];\nst.shared::cta.b32 [%r1], 0;");
  ASSERT_EQ(parsed.error, "");
  EXPECT_TRUE(parsed.instruction(0).has("L2::128B"));
  EXPECT_EQ(parsed.instruction(1).space(), Space::shared);
}

TEST(Parse, BodyOfCalls) {
  const Parsed parsed = body(R"(
  .reg .b64 %rd<3>, %other;
  { // callseq 0, 0
  .reg .b32 temp_param_reg;
  .param .b32 param0;
  prototype_2 : .callprototype (.param .b32 _) _ (.param .b32 _);
  call (retval0), %rd1, (param0), prototype_2;
  }
$L1:
  .pragma "nounroll";
  .loc 1 20 5, function_name $L__info_string0, inlined_at 1 7 3
  t: .branchtargets $L1, $L2;
  brx.idx %r1, t;
$L2: ret;)");
  ASSERT_EQ(parsed.error, "");
  EXPECT_TRUE(parsed.at(0).variable->is_group);
  EXPECT_EQ(parsed.at(0).variable->register_count, 3u);
  const Block &call = *parsed.at(2).block;
  ASSERT_EQ(call.statements.size(), 4u);
  EXPECT_EQ(call.statements[2].prototype->parameters.size(), 1u);
  EXPECT_EQ(call.statements[3].instruction->operands.size(), 4u);
  EXPECT_EQ(parsed.at(4).location->line, 20u);
  EXPECT_EQ(parsed.at(5).targets->size(), 2u);
}

TEST(Parse, Initialisers) {
  const Parsed parsed(".global .align 8 .u64 a[3] = {generic(b)+8, f, b+4};\n"
                      ".global .b8 b[] = {1, 2, 0xFF00(a)};\n"
                      ".const .f32 c[2][2] = {{1.0, 0f3F800000}, {-2.0, 3}};");
  ASSERT_EQ(parsed.error, "");
  const auto &variables = parsed.module.variables;
  EXPECT_EQ(variables[0].initializer[0].name, "generic");
  EXPECT_EQ(variables[0].initializer[0].parts[0].integer, 8);
  EXPECT_EQ(variables[0].initializer[2].integer, 4);
  EXPECT_EQ(variables[1].elements(), 3u);
  EXPECT_EQ(variables[1].initializer[2].name, "mask");
  EXPECT_EQ(variables[2].initializer.size(), 4u);
}

TEST(Parse, DebugSectionsAndComments) {
  const Parsed parsed("/* { */ .section .debug_abbrev\n{\n.b8 1 // }\n}\n"
                      ".file 1 \"a b.cu\", 12, 34\n# 1 \"line\"\n"
                      ".section .debug_loc { }\n.weak .func f;");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.module.files[0].name, "a b.cu");
  EXPECT_TRUE(parsed.module.functions[0].is_weak);
}

TEST(Parse, ErrorsSayWhere) {
  EXPECT_EQ(error_of(".entry k() { add.s32 %r1 %r2; }"),
            "x.ptx:4: error: ',' expected before '%r2; }'");
  EXPECT_THAT(error_of(".entry k() { ret;"), HasSubstr("'}' is missing"));
  EXPECT_THAT(error_of(".global .b8 x[1099511627777];"),
              HasSubstr("too large"));
  EXPECT_THAT(error_of(".global .b8 x[4] = {1, 2, 3, 4, 5};"),
              HasSubstr("too many initial values"));
  EXPECT_THAT(error_of(".global .u32 x = 1 / 0;"), HasSubstr("division"));
  EXPECT_THAT(error_of(".nothing"), HasSubstr("unknown directive .nothing"));
}

TEST(Parse, DeepNestingIsRefused) {
  EXPECT_THAT(body(std::string(1000, '{')).error, HasSubstr("deeply"));
  EXPECT_THAT(body("x " + std::string(1000, '(')).error, HasSubstr("deeply"));
  EXPECT_THAT(error_of(".global .u32 x = " + std::string(1000, '-') + "1;"),
              HasSubstr("deeply"));
  EXPECT_THAT(error_of(".global .u32 x = " + std::string(1000, '{')),
              HasSubstr("deeply"));
}

TEST(Parse, TextMayEndWithZeros) {
  const std::string text(HEADER + std::string("\0\0", 2));
  EXPECT_TRUE(bool(parse(text, "x")));
}

} // namespace
