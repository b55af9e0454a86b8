//===-- disassembly/tests/amdgpu_test.cpp - Bytes that are no code --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "disassembly/amdgpu.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"

#include "gtest/gtest.h"

#include <random>

namespace gpuexec {
namespace {

std::unique_ptr<AmdgpuDisassembler> make(llvm::StringRef cpu) {
  auto made = AmdgpuDisassembler::create(cpu);
  if (!made) {
    ADD_FAILURE() << llvm::toString(made.takeError());
    return nullptr;
  }
  return std::move(*made);
}

llvm::ArrayRef<uint8_t> bytes_of(llvm::ArrayRef<uint32_t> words) {
  return {reinterpret_cast<const uint8_t *>(words.data()), words.size() * 4};
}

TEST(AmdgpuDisassembler, KnowsItsProcessors) {
  EXPECT_NE(make("gfx942"), nullptr);
  auto made = AmdgpuDisassembler::create("gfx1");
  ASSERT_FALSE(made);
  EXPECT_EQ(llvm::toString(made.takeError()),
            "unknown AMDGPU processor 'gfx1'");
  auto old = AmdgpuDisassembler::create("gfx700");
  ASSERT_FALSE(old);
  EXPECT_EQ(llvm::toString(old.takeError()),
            "LLVM has no disassembler for gfx700");
}

TEST(AmdgpuDisassembler, DecodesAndPrints) {
  auto disassembler = make("gfx942");
  llvm::MCInst inst;
  // s_mov_b32 s0 with a literal that an inline constant could have said.
  EXPECT_EQ(disassembler->decode(bytes_of({0xbe8000ff, 1}), 0, inst), 8u);
  EXPECT_TRUE(inst.getOperand(1).isImm());
  EXPECT_EQ(disassembler->print(inst, 0), "s_mov_b32 s0, 1");
  EXPECT_EQ(disassembler->decode(bytes_of({0x68020204}), 0, inst), 4u);
  EXPECT_EQ(disassembler->print(inst, 0), "v_add_u32_e32 v1, s4, v1");
}

// decode() knows short instructions of gfx9 before LLVM has looked at them:
// that must not make a difference. Random bytes, and such as begin like short
// ones with every opcode.
TEST(AmdgpuDisassembler, ShortInstructionsAreWhatLlvmSaysTheyAre) {
  std::mt19937 random(1);
  for (const char *cpu : {"gfx942", "gfx90a", "gfx900", "gfx9-4-generic"}) {
    auto disassembler = make(cpu);
    llvm::Triple triple("amdgcn-amd-amdhsa");
    std::string error;
    const llvm::Target *target =
        llvm::TargetRegistry::lookupTarget(triple, error);
    ASSERT_NE(target, nullptr) << error;
    std::unique_ptr<llvm::MCRegisterInfo> registers(
        target->createMCRegInfo(triple));
    std::unique_ptr<llvm::MCAsmInfo> info(
        target->createMCAsmInfo(*registers, triple, llvm::MCTargetOptions()));
    std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
        target->createMCSubtargetInfo(triple, cpu, ""));
    llvm::MCContext context(triple, info.get(), registers.get(),
                            subtarget.get());
    std::unique_ptr<llvm::MCDisassembler> plain(
        target->createMCDisassembler(*subtarget, context));
    unsigned decoded = 0;
    for (unsigned k = 0; k < 40000; ++k) {
      uint32_t words[3] = {uint32_t(random()), uint32_t(random()),
                           uint32_t(random())};
      if (k % 2)
        words[0] = k / 2 % 512 << 23 | (words[0] & 0x7fffff);
      llvm::MCInst one, other;
      uint64_t size = 0;
      unsigned ours = disassembler->decode(bytes_of(words), 0, one);
      // What takes a literal that there is no room for is not for LLVM alone.
      if (!ours)
        continue;
      ASSERT_EQ(
          plain->getInstruction(other, size, bytes_of(words), 0, llvm::nulls()),
          llvm::MCDisassembler::Success)
          << cpu << std::hex << " " << words[0];
      ++decoded;
      EXPECT_EQ(ours, size) << cpu << std::hex << " " << words[0];
      EXPECT_EQ(disassembler->print(one, 0), disassembler->print(other, 0))
          << cpu << std::hex << " " << words[0];
    }
    EXPECT_GT(decoded, 5000u);
  }
}

TEST(AmdgpuDisassembler, LiteralBeyondTheLongestInstruction) {
  // v_add3_u32 with a literal: gfx9 has no room for it, gfx10 has.
  const uint32_t words[] = {0xd1ff0000, 0x040000ff, 0x12345678};
  llvm::MCInst inst;
  EXPECT_EQ(make("gfx942")->decode(bytes_of(words), 0, inst), 0u);
  const uint32_t gfx10[] = {0xd76d0000, 0x040000ff, 0x12345678};
  EXPECT_EQ(make("gfx1030")->decode(bytes_of(gfx10), 0, inst), 12u);
}

// LLVM 22 takes 128 to 248 for inline constants there, and crashes on 255.
TEST(AmdgpuDisassembler, MandatoryLiteralIsWhatItSays) {
  struct {
    const char *cpu;
    uint32_t word;
    const char *before, *behind;
  } cases[] = {
      {"gfx942", 0x2e020101, "v_fmamk_f32 v1, v1, ", ", v0"},
      {"gfx942", 0x30020101, "v_fmaak_f32 v1, v1, v0, ", ""},
      {"gfx90a", 0x48020101, "v_madmk_f16 v1, v1, ", ", v0"},
      {"gfx90a", 0x4a020101, "v_madak_f16 v1, v1, v0, ", ""},
      {"gfx1100", 0x58020101, "v_fmamk_f32 v1, v1, ", ", v0"},
      {"gfx1201", 0x70020101, "v_fmaak_f16 v1, v1, v0, ", ""},
  };
  llvm::MCInst inst;
  for (auto &c : cases) {
    auto disassembler = make(c.cpu);
    for (uint32_t literal = 0; literal < 600; ++literal) {
      ASSERT_EQ(disassembler->decode(bytes_of({c.word, literal}), 0, inst), 8u)
          << c.cpu << " " << c.before << literal;
      EXPECT_EQ(disassembler->print(inst, 0),
                c.before + ("0x" + llvm::utohexstr(literal, true)) + c.behind)
          << c.cpu;
    }
  }
}

// The same numbers where an instruction may have a literal or none: LLVM is
// right there.
TEST(AmdgpuDisassembler, SmallLiteralsOfOtherInstructions) {
  auto disassembler = make("gfx942");
  llvm::MCInst inst;
  EXPECT_EQ(disassembler->decode(bytes_of({0xbe8000ff, 200}), 0, inst), 8u);
  EXPECT_EQ(inst.getOperand(1).getImm(), 200);
  // s_mov_b64: sign-extended, and v_add_f64 does not fit a literal at all.
  EXPECT_EQ(disassembler->decode(bytes_of({0xbe8001ff, 255}), 0, inst), 8u);
  EXPECT_EQ(inst.getOperand(1).getImm(), 255);
  // One dword; what comes next is another instruction.
  EXPECT_EQ(disassembler->decode(bytes_of({0x68020204, 255}), 0, inst), 4u);
  // Two dwords, the second of which is a number of that kind: s_load_dword
  EXPECT_EQ(disassembler->decode(bytes_of({0xc0020000, 200}), 0, inst), 8u);
  EXPECT_EQ(disassembler->print(inst, 0), "s_load_dword s0, s[0:1], 0xc8");
}

TEST(AmdgpuDisassembler, SelectorsThatDoNotExist) {
  auto disassembler = make("gfx942");
  llvm::MCInst inst;
  const uint32_t max = 0x16025ef9; // v_max_f32_sdwa
  EXPECT_EQ(disassembler->decode(bytes_of({max, 0x06060647}), 0, inst), 8u);
  EXPECT_EQ(disassembler->decode(bytes_of({max, 0x06061e47}), 0, inst), 0u);
  EXPECT_EQ(disassembler->decode(bytes_of({max, 0x06060747}), 0, inst), 0u);
  EXPECT_EQ(disassembler->decode(bytes_of({max, 0x06070647}), 0, inst), 0u);
  EXPECT_EQ(disassembler->decode(bytes_of({max, 0x07060647}), 0, inst), 0u);
}

// Fields that name no register where the instruction wants one.
TEST(AmdgpuDisassembler, OperandsOfTheWrongKind) {
  auto disassembler = make("gfx942");
  llvm::MCInst inst;
  // v_readfirstlane_b32 into a literal, with room for one and without
  EXPECT_EQ(disassembler->decode(bytes_of({0x7ffe045a, 1}), 0, inst), 0u);
  EXPECT_EQ(disassembler->decode(bytes_of({0x7ffe045a}), 0, inst), 0u);
  // ... into 1.0
  EXPECT_EQ(disassembler->decode(bytes_of({0x7fe4045a}), 0, inst), 0u);
  // s_bitset0_b32 s1, s2: LLVM leaves out the tied operand
  EXPECT_EQ(disassembler->decode(bytes_of({0xbe811802}), 0, inst), 4u);
}

class AnyBits : public testing::TestWithParam<const char *> {};

TEST_P(AnyBits, DecodeOrNot) {
  auto disassembler = make(GetParam());
  std::mt19937 random(1);
  llvm::MCInst inst;
  for (int i = 0; i < 50000; ++i) {
    uint32_t words[5];
    for (uint32_t &word : words) // small ones are other operands' codes too
      word = random() % 8 ? random() : random() % 512;
    size_t size = i % 4 ? sizeof(words) : 1 + random() % sizeof(words);
    unsigned decoded =
        disassembler->decode(bytes_of(words).take_front(size), 0, inst);
    ASSERT_LE(decoded, size);
    if (decoded)
      disassembler->print(inst, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Processors, AnyBits,
                         testing::Values("gfx803", "gfx90a", "gfx942", "gfx950",
                                         "gfx1030", "gfx1100", "gfx1201",
                                         "gfx1250"),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace gpuexec
