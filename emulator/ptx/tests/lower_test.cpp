//===-- emulator/ptx/tests/lower_test.cpp - PTX to code objects -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled modules look like from outside, and what is refused.
// program_test.cpp runs them.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/tool/compile.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Object/ELFObjectFile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuexec::ptx;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::string HEADER = ".version 7.8\n.target sm_80\n.address_size 64\n";

/// LLVM's text of a module, or the error.
std::string module_of(const std::vector<std::string> &texts,
                      unsigned level = 2) {
  std::vector<std::string> whole;
  for (const std::string &text : texts)
    whole.push_back(HEADER + text);
  std::vector<Input> inputs;
  for (const std::string &text : whole)
    inputs.push_back({text, "x.ptx"});
  llvm::LLVMContext context;
  CompileSettings settings;
  settings.level = level;
  auto module = make_module(inputs, settings, context);
  if (!module)
    return llvm::toString(module.takeError());
  std::string result;
  llvm::raw_string_ostream out(result);
  (*module)->print(out, nullptr);
  return result;
}

std::string body(const std::string &text) {
  return ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n"
         ".reg .b64 %rd<9>;\n.reg .pred %p<9>;\n" +
         text + "\nret;\n}\n";
}

TEST(Lower, ParametersLieAtThePlacesOfPtx) {
  EXPECT_THAT(
      module_of({".entry k(.param .u32 a, .param .u64 b,"
                 " .param .align 16 .b8 c[20]) .maxntid 64, 2 { ret; }"}),
      testing::AllOf(HasSubstr("byref(i32) align 4"),
                     HasSubstr("byref(i64) align 8"),
                     HasSubstr("byref([20 x i8]) align 16"),
                     HasSubstr("\"amdgpu-flat-work-group-size\"=\"1,128\"")));
}

/// The symbols of a code object.
std::vector<std::string> symbols(const std::string &text) {
  const std::string whole = HEADER + text;
  auto made = compile({{whole, "x.ptx"}}, CompileSettings());
  if (!made) {
    ADD_FAILURE() << llvm::toString(made.takeError());
    return {};
  }
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(made->data(), made->size()), ""));
  if (!file) {
    ADD_FAILURE() << llvm::toString(file.takeError());
    return {};
  }
  std::vector<std::string> names;
  for (auto symbol : llvm::cast<llvm::object::ELFObjectFileBase>(**file)
                         .getDynamicSymbolIterators())
    names.push_back(llvm::cantFail(symbol.getName()).str());
  return names;
}

TEST(Compile, KernelsAndVariablesHaveSymbols) {
  EXPECT_THAT(
      symbols(".global .u32 hidden = 5;\n.visible .const .f32 real;\n"
              ".func f() { ret; }\n.visible .entry k() { call f, (); ret; }"),
      testing::AllOf(testing::Contains("k.kd"), testing::Contains("hidden"),
                     testing::Contains("real"),
                     Not(testing::Contains("__gpuexec_cuda")),
                     Not(testing::Contains("f"))));
}

TEST(Compile, ProgramsThatPrintHaveTheClient) {
  EXPECT_THAT(symbols(".extern .func (.param .b32 r) vprintf (.param .b64 f,"
                      " .param .b64 a);\n" +
                      body("{ .param .b64 a; .param .b64 b; .param .b32 r;\n"
                           "st.param.b64 [a], 0; st.param.b64 [b], 0;\n"
                           "call (r), vprintf, (a, b); }")),
              testing::Contains("__gpuexec_cuda"));
}

TEST(Lower, TextsSeeEachOthersFunctions) {
  const std::string caller =
      ".extern .func (.param .b32 r) f;\n" +
      body("{ .param .b32 r; call (r), f; ld.param.b32 %r1, [r];\n"
           "ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], %r1; }");
  EXPECT_THAT(module_of({caller, ".visible .func (.param .b32 r) f {"
                                 " st.param.b32 [r], 1234; ret; }"}),
              HasSubstr("store i32 1234"));
  EXPECT_THAT(module_of({caller}), HasSubstr("'f' is not defined"));
}

TEST(Lower, UnusedDeclarationsMayLackABody) {
  EXPECT_THAT(module_of({".extern .func missing;\n" + body("")}),
              HasSubstr("amdgpu_kernel void @k"));
}

TEST(Lower, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(module_of({body("unheard.of.f32 %r1, %r2;")}),
            "x.ptx:9: error: unheard.of.f32: this instruction is not known");
  EXPECT_EQ(module_of({body("mov.u32 %r1, %x;")}),
            "x.ptx:9: error: '%x' is not declared");
  EXPECT_EQ(module_of({body("mov.u32 %r9, 1;")}),
            "x.ptx:9: error: a register expected, not '%r9'");
  EXPECT_THAT(module_of({body("bra nowhere;")}), HasSubstr("x.ptx:9: error: "));
  EXPECT_THAT(module_of({body("a: a: ret;")}), HasSubstr("there twice"));
  EXPECT_THAT(module_of({body("call f, ();")}), HasSubstr("'f' is not"));
  EXPECT_THAT(
      module_of({".func f(.reg .u32 x) { ret; }\n" + body("call f, ();")}),
      HasSubstr("another number of parameters"));
  EXPECT_THAT(module_of({body("ld.global.v2.u32 %r1, [%rd1];")}),
              HasSubstr("another number of elements"));
  EXPECT_THAT(module_of({".global .u32 x = y;"}), HasSubstr("x.ptx:4: error"));
  EXPECT_THAT(module_of({body(""), body("")}), HasSubstr("x.ptx:1: error: "));
}

/// The module after code generation, whose passes on IR change it.
std::string generated(const std::string &text) {
  const std::string whole = HEADER + text;
  llvm::LLVMContext context;
  auto module = make_module({{whole, "x.ptx"}}, CompileSettings(), context);
  if (!module)
    return llvm::toString(module.takeError());
  auto object = make_object(**module, CompileSettings());
  if (!object)
    return llvm::toString(object.takeError());
  std::string result;
  llvm::raw_string_ostream out(result);
  (*module)->print(out, nullptr);
  return result;
}

/// toolchain/passes/fixes/keep_phi_values.cpp annotates the half of a word that
/// is one of a join's values, in front of StructurizeCFG.
TEST(Compile, FixesOfCodeGenerationRun) {
  EXPECT_THAT(generated(body("ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x;\n"
                             "setp.eq.u32 %p1, %r2, 3; @%p1 bra other;\n"
                             "ld.volatile.global.u64 %rd2, [%rd1];\n"
                             "cvt.u32.u64 %r1, %rd2; bra joined;\n"
                             "other: ld.volatile.global.u32 %r1, [%rd1+8];\n"
                             "joined: st.global.u32 [%rd1], %r1;")),
              HasSubstr("annotation"));
}

/// A dynamic alloca takes its size of each lane: fixes/scale_stack.cpp.
TEST(Compile, FixesBeforeCodeGenerationRun) {
  EXPECT_THAT(module_of({body("ld.param.u64 %rd1, [p]; ld.u32 %r1, [%rd1];\n"
                              "alloca.u32 %r2, %r1; st.local.u32 [%r2], 5;\n"
                              "ld.volatile.local.u32 %r3, [%r2];\n"
                              "st.global.u32 [%rd1], %r3;")}),
              HasSubstr("lshr i32"));
}

TEST(Compile, UnknownProcessor) {
  CompileSettings settings;
  settings.processor = "gfx1";
  const std::string text = HEADER + body("");
  auto made = compile({{text, "x"}}, settings);
  ASSERT_FALSE(made);
  EXPECT_THAT(llvm::toString(made.takeError()), HasSubstr("gfx1"));
}

/// Every level of optimisation, with a trap before other code of a function.
TEST(Compile, EveryLevel) {
  const std::string text =
      HEADER + body("ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1];\n"
                    "setp.ne.u32 %p1, %r1, 0; @%p1 trap;\n"
                    ".local .b8 l[64]; .reg .b64 %q; mov.u64 %q, l;\n"
                    "cvta.local.u64 %q, %q; add.u64 %q, %q, 32;\n"
                    "st.global.u64 [%rd1], %q; st.u32 [%q], 3;");
  for (unsigned level : {0, 1, 2, 3}) {
    CompileSettings settings;
    settings.level = level;
    auto made = compile({{text, "x"}}, settings);
    EXPECT_TRUE(bool(made)) << level << llvm::toString(made.takeError());
  }
}

TEST(Lower, LinesOfTheSource) {
  EXPECT_THAT(module_of({".file 1 \"/a/b.cu\"\n" +
                         body(".loc 1 17 3\nld.param.u64 %rd1, [p];\n"
                              ".loc 1 18 3\nst.global.u32 [%rd1], 5;")}),
              testing::AllOf(HasSubstr("line: 18"), HasSubstr("b.cu")));
}

} // namespace
