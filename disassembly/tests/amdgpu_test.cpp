//===-- disassembly/tests/amdgpu_test.cpp - Bytes that are no code --------===//
#include "disassembly/amdgpu.h"

#include "llvm/ADT/StringExtras.h"

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

TEST(AmdgpuDisassembler, LiteralBeyondTheLongestInstruction) {
  // v_add3_u32 with a literal: gfx9 has no room for it, gfx10 has.
  const uint32_t words[] = {0xd1ff0000, 0x040000ff, 0x12345678};
  llvm::MCInst inst;
  EXPECT_EQ(make("gfx942")->decode(bytes_of(words), 0, inst), 0u);
  const uint32_t gfx10[] = {0xd76d0000, 0x040000ff, 0x12345678};
  EXPECT_EQ(make("gfx1030")->decode(bytes_of(gfx10), 0, inst), 12u);
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

class AnyBits : public testing::TestWithParam<const char *> {};

TEST_P(AnyBits, DecodeOrNot) {
  auto disassembler = make(GetParam());
  std::mt19937 random(1);
  llvm::MCInst inst;
  for (int i = 0; i < 50000; ++i) {
    uint32_t words[5];
    for (uint32_t &word : words)
      word = random();
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
