//===-- emulator/amdgpu/tests/decode_test.cpp - Decoding ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the translation relies on in LLVM's MC layer, pinned: names, operand
// types, register encodings. If one of these fails after an LLVM update, look
// at translate.cpp first.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/code/code.h"
#include "emulator/amdgpu/decode/dpp.h"
#include "emulator/amdgpu/decode/register_parts.h"
#include "emulator/amdgpu/decode/translate.h"

#include "gtest/gtest.h"

namespace gpuexec::emulator::amdgpu::test {

class Decode : public testing::Test {
protected:
  void SetUp() override {
    auto made = Disassembler::create("gfx942");
    ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
    disassembler = std::move(*made);
  }
  /// The micro-ops of one instruction at offset 0x100.
  std::vector<MicroOp> micro_ops(std::vector<uint32_t> words) {
    llvm::MCInst inst;
    llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<uint8_t *>(words.data()),
                                  words.size() * 4);
    unsigned size = disassembler->decode(bytes, 0x100, inst);
    EXPECT_EQ(size, words.size() * 4);
    text = disassembler->print(inst, 0x100);
    std::vector<MicroOp> result;
    Translator translator(*disassembler, nullptr);
    translator.translate(inst, 0x100, size, texts, result, ends);
    return result;
  }
  std::unique_ptr<Disassembler> disassembler;
  std::deque<std::string> texts;
  std::string text;
  bool ends = false;
};

TEST_F(Decode, VectorAndScalarSources) {
  auto s = micro_ops({0x68020204}); // v_add_u32_e32 v1, s4, v1
  EXPECT_EQ(text, "v_add_u32_e32 v1, s4, v1");
  ASSERT_EQ(s.size(), 1u);
  EXPECT_EQ(s[0].dst, vector_operand(1));
  EXPECT_EQ(s[0].src[0], scalar_operand(4));
  EXPECT_EQ(s[0].src[1], vector_operand(1));
  EXPECT_EQ(s[0].kind, MicroOpKind::operation);
  EXPECT_EQ(s[0].operation, OperationId::v_add_u32);
  EXPECT_EQ(s[0].variant, Variant::plain);
  EXPECT_EQ(s[0].pc, 0x100u);
}

// RDNA's v_cmpx writes EXEC and leaves VCC alone, in waves of either size.
TEST_F(Decode, CompareThatWritesExecAlone) {
  for (bool wave32 : {true, false}) {
    auto made = Disassembler::create("gfx1100", wave32);
    ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
    disassembler = std::move(*made);
    auto s = micro_ops({0x7d985ec0}); // v_cmpx_gt_u32_e32 64, v47
    EXPECT_EQ(text, "v_cmpx_gt_u32_e32 64, v47");
    ASSERT_EQ(s.size(), 2u);
    EXPECT_EQ(s[0].operation, OperationId::v_cmp_gt_u32);
    EXPECT_EQ(s[0].sdst, slot_operand(SLOT_LANE_MASK));
    EXPECT_EQ(s[1].kind, MicroOpKind::set_exec);
    EXPECT_EQ(s[1].src[0], slot_operand(SLOT_LANE_MASK));
  }
}

TEST_F(Decode, CodeThatEndsInALiteral) {
  // s_mov_b32 s0, 0x12345678 cut off at every byte.
  const uint8_t whole[] = {0xff, 0x00, 0x80, 0xbe, 0x78, 0x56, 0x34, 0x12};
  llvm::MCInst inst;
  for (size_t size = 0; size < sizeof(whole); ++size)
    EXPECT_EQ(disassembler->decode({whole, size}, 0, inst), 0u) << size;
  EXPECT_EQ(disassembler->decode(whole, 0, inst), 8u);
}

TEST_F(Decode, Constants) {
  auto s = micro_ops({0x7e0202c1}); // v_mov_b32_e32 v1, -1
  EXPECT_EQ(s[0].src[0], constant_operand(~u64(0)));
  s = micro_ops({0x7e0202ff, 0x12345678}); // a literal
  EXPECT_EQ(s[0].src[0], LITERAL);
  EXPECT_EQ(s[0].imm, 0x12345678u);
  s = micro_ops({0xbe8201ed}); // s_mov_b64 s[2:3], src_private_base
  EXPECT_EQ(text, "s_mov_b64 s[2:3], src_private_base");
  EXPECT_EQ(s[0].src[0], LITERAL);
  EXPECT_EQ(s[0].imm, PRIVATE_APERTURE);
  s = micro_ops(
      {0x8201ff01,
       0xffffffff}); // s_addc_u32 s1, s1, lit(0xffffffff): an expression in MC
  ASSERT_EQ(s.size(), 1u);
  EXPECT_EQ(s[0].src[0], scalar_operand(1));
}

TEST_F(Decode, WritesToExecAreNoticed) {
  auto s = micro_ops({0xbefe0108}); // s_mov_b64 exec, s[8:9]
  EXPECT_EQ(text, "s_mov_b64 exec, s[8:9]");
  EXPECT_EQ(s[0].dst, scalar_operand(EXEC));
  EXPECT_EQ(s[0].operation, OperationId::s_mov_b64);
  EXPECT_EQ(s[0].variant, Variant::writes_exec);
}

// One row of each family: what the JIT, the check for undefined values and the
// statistics read instead of the name.
TEST(Table, RowsSayWhatInstructionsAre) {
  const Operation &load = operation(OperationId::global_load_sbyte_d16_hi);
  EXPECT_EQ(load.memory.space, Space::global);
  EXPECT_EQ(load.memory.access, Access::load);
  EXPECT_EQ(load.memory.bytes, 1u);
  EXPECT_TRUE(load.memory.is_signed);
  EXPECT_EQ(load.half, Half::high);
  EXPECT_EQ(load.instruction_class, InstructionClass::global_memory);
  const Operation &two = operation(OperationId::ds_read2st64_b64);
  EXPECT_EQ(two.memory.access, Access::load_two);
  EXPECT_EQ(two.memory.unit, 512u);
  EXPECT_EQ(two.uses.dst.registers, 4u);
  const Operation &atomic = operation(OperationId::flat_atomic_smax_x2);
  EXPECT_EQ(atomic.memory.atomic, AtomicOperation::max);
  EXPECT_TRUE(atomic.memory.is_signed);
  EXPECT_EQ(atomic.memory.bytes, 8u);
  EXPECT_EQ(atomic.instruction_class, InstructionClass::atomic);
  const Operation &compare = operation(OperationId::s_cmp_eq_u64);
  EXPECT_EQ(compare.source[0], Type::u64);
  EXPECT_EQ(compare.result, Type::none);
  EXPECT_TRUE(compare.writes_scc);
  EXPECT_EQ(operation(OperationId::v_fma_mixhi_f16).half, Half::high);
  EXPECT_EQ(operation(OperationId::v_fma_mix_f32).half, Half::none);
  EXPECT_TRUE(ends_block(operation(OperationId::s_swappc_b64).terminator));
  EXPECT_FALSE(ends_block(operation(OperationId::s_cbranch_vccz).terminator));
  EXPECT_EQ(operation(OperationId::s_cbranch_vccz).branches_on,
            Condition::vccz);
  for (unsigned k = 1; k < OPERATIONS; ++k) {
    const Operation &op = operation(OperationId(k));
    EXPECT_EQ(unsigned(op.id), k);
    EXPECT_EQ(find_operation(op.name), &op) << op.name;
  }
}

// docs/statistics.md says what is known of each kind.
TEST(Table, RowsSayWhetherTheyAreExact) {
  for (unsigned k = 1; k < OPERATIONS; ++k) {
    const Operation &op = operation(OperationId(k));
    EXPECT_NE(op.fidelity, Fidelity::none) << op.name;
    const llvm::StringRef name = op.name;
    llvm::StringRef stem = name;
    if (!stem.consume_front("v_s_")) // of scalar registers
      stem.consume_front("v_");
    bool function = false;
    for (const char *each :
         {"rcp_", "rsq_", "sqrt_", "exp_", "log_", "sin_", "cos_"})
      function |= name.starts_with("v_") && stem.starts_with(each);
    const bool adds_in_memory =
        op.memory.access == Access::atomic &&
        (op.memory.atomic == AtomicOperation::packed_add_f16 ||
         op.memory.atomic == AtomicOperation::packed_add_bf16 ||
         (op.memory.atomic == AtomicOperation::float_add &&
          op.memory.bytes == 4));
    const bool clock = name == "s_memtime" || name == "s_memrealtime";
    const bool sums = name.starts_with("v_dot2") && name.ends_with("f32_f16");
    const bool matrix =
        name.starts_with("v_mfma_f") || name.starts_with("v_smfmac_f");
    EXPECT_EQ(op.fidelity != Fidelity::exact,
              function || adds_in_memory || clock || sums || matrix)
        << op.name;
  }
}

TEST_F(Decode, Modifiers) {
  auto s =
      micro_ops({0xd1018201, 0x2c020702}); // v_add_f32_e64 v1, -v2, |v3| clamp
                                           // mul:2 needs a micro-op after
  EXPECT_NE(text.find("v_add_f32_e64"), std::string::npos) << text;
  ASSERT_GE(s.size(), 1u);
  EXPECT_TRUE(s[0].mods != 0);
}

TEST(Immediates, AreUnpackedAsTheyWerePacked) {
  for (unsigned selector = 0; selector <= SDWA_DWORD; ++selector)
    for (unsigned other = 0; other < 3; ++other) {
      const auto part = RegisterPart::selected_by(selector);
      const Sdwa sdwa = {part, other == 1};
      EXPECT_EQ(Sdwa::unpack(sdwa.pack()).pack(), sdwa.pack());
      EXPECT_EQ(Sdwa::unpack(sdwa.pack()).part.field(), part.field());
      EXPECT_EQ(Sdwa::unpack(sdwa.pack()).is_signed, other == 1);
      EXPECT_EQ(SdwaMerge::unpack(SdwaMerge{part, other}.pack()).unused, other);
    }
  Dpp dpp;
  EXPECT_TRUE(Dpp::unpack(dpp.pack()).writes_every_lane());
  dpp.control = 0x111; // row_shr:1
  dpp.banks = 5;
  dpp.bound_control = false;
  dpp.registers = 2;
  const Dpp again = Dpp::unpack(dpp.pack());
  EXPECT_EQ(again.pack(), dpp.pack());
  EXPECT_EQ(again.source(17), 16);
  EXPECT_EQ(again.source(16), -1);
  EXPECT_EQ(again.registers, 2u);
  EXPECT_FALSE(again.writes(4, true)); // bank 1
  EXPECT_FALSE(again.writes(0, false));
  Dpp eight;
  eight.is_dpp8 = true;
  eight.lanes = 0xfac688; // 0, 1, ... 7
  EXPECT_EQ(Dpp::unpack(eight.pack()).source(11), 11);
}

TEST_F(Decode, SdwaAndDppAreMicroOps) {
  // v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf
  auto s = micro_ops({0x7e0202fa, 0xff011102});
  EXPECT_NE(text.find("row_shr:1"), std::string::npos) << text;
  ASSERT_EQ(s.size(), 3u); // permute, move, copy where written
  EXPECT_EQ(s[1].src[0], s[0].dst);
  EXPECT_EQ(s[2].dst, vector_operand(1));
  // v_mov_b32_sdwa v1, v2 dst_sel:DWORD src0_sel:BYTE_1
  s = micro_ops({0x7e0202f9, 0x00010602});
  EXPECT_NE(text.find("BYTE_1"), std::string::npos) << text;
  ASSERT_EQ(s.size(), 2u);
  EXPECT_EQ(s[0].kind, MicroOpKind::sdwa);
  EXPECT_EQ(s[1].kind, MicroOpKind::operation);
  EXPECT_EQ(s[1].operation, OperationId::v_mov_b32);
}

TEST_F(Decode, BranchesKnowTheirTargets) {
  auto s = micro_ops({0xbf820003}); // s_branch 3
  EXPECT_TRUE(ends);
  EXPECT_EQ(s[0].imm, 0x100u + 4 + 12);
  s = micro_ops({0xbf88fffe}); // s_cbranch_execz -2
  EXPECT_FALSE(ends);
  EXPECT_EQ(s[0].imm, 0x100u + 4 - 8);
}

TEST_F(Decode, MemoryOperands) {
  auto s = micro_ops(
      {0xdc509ff0, 0x017f0002}); // global_load_dword v1, v[2:3], off offset:-16
  EXPECT_NE(text.find("offset:-16"), std::string::npos) << text;
  EXPECT_EQ(i64(s[0].imm), -16);
  EXPECT_EQ(s[0].dst, vector_operand(1));
  EXPECT_EQ(s[0].src[0], vector_operand(2));
  EXPECT_EQ(s[0].src[1], 0);
}

// x86 lets a load overtake an earlier store, and nothing else. So there must be
// a fence between the two halves of what LLVM makes of a sequentially
// consistent fence, and between such a store and such a load; and nowhere else,
// for it waits for all stores.
TEST_F(Decode, FencesAreWhereALoadMayOvertakeAStore) {
  Disassembler *processor = disassembler.get();
  // The numbers of the instructions that a fence stands at.
  auto fences = [&](const std::vector<std::vector<uint32_t>> &code) {
    Translator translator(*processor, nullptr);
    std::vector<unsigned> found;
    for (unsigned k = 0; k < code.size(); ++k) {
      std::vector<uint32_t> words = code[k];
      llvm::MCInst inst;
      llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<uint8_t *>(words.data()),
                                    words.size() * 4);
      std::vector<MicroOp> made;
      EXPECT_EQ(processor->decode(bytes, 4 * k, inst), bytes.size());
      translator.translate(inst, 4 * k, unsigned(bytes.size()), texts, made,
                           ends);
      for (const Inst &op : made)
        if (op.kind == MicroOpKind::fence)
          found.push_back(k);
    }
    return found;
  };
  using Found = std::vector<unsigned>;
  const std::vector<uint32_t> wait = {0xbf8c0f70}, // s_waitcnt vmcnt(0)
      wait_for_lds = {0xbf8cc07f},                 // s_waitcnt lgkmcnt(0)
      store = {0xde708000, 0x00040100},            // ... s[4:5] sc1
      load = {0xde508000, 0x01040000},             // ... s[4:5] sc1
      plain_load = {0xdc508000, 0x01040000},       // ... s[4:5]
      exchange = {0xdd018000, 0x00040001},         // ... s[4:5] sc0
      write_back = {0xe0a08000, 0}, invalidate = {0xe0a48000, 0};
  // A fence; sequentially consistent store and load.
  EXPECT_EQ(fences({store, write_back, wait, invalidate, load}), Found{3});
  EXPECT_EQ(fences({write_back, wait, store, wait, load, wait, invalidate}),
            Found{4});
  // Release, acquire, relaxed loads, a lock taken.
  EXPECT_EQ(fences({write_back, wait, store}), Found{});
  EXPECT_EQ(fences({load, wait, invalidate, plain_load}), Found{});
  EXPECT_EQ(fences({store, wait_for_lds, load}), Found{});
  EXPECT_EQ(fences({store, wait, plain_load}), Found{});
  EXPECT_EQ(fences({exchange, wait, invalidate, store}), Found{});
  EXPECT_EQ(fences({store, invalidate, load}), Found{});

  auto older = Disassembler::create("gfx90a");
  ASSERT_TRUE(bool(older)) << llvm::toString(older.takeError());
  processor = older->get();
  const std::vector<uint32_t> store90 = {0xdc708000, 0x00040100},
                              load90 = {0xdc518000, 0x01040000}, // glc
      exchange90 = {0xdd018000, 0x00040001}, write_back90 = {0xe0a00000, 0},
                              invalidate_l2 = {0xe0a40000, 0},
                              invalidate_l1 = {0xe0fc0000, 0};
  EXPECT_EQ(fences({store90, write_back90, wait, invalidate_l2, invalidate_l1}),
            Found{3});
  EXPECT_EQ(fences({store90, wait, invalidate_l1, load90}), Found{2});
  EXPECT_EQ(fences({store90, wait, load90, wait, invalidate_l1}), Found{2});
  EXPECT_EQ(fences({load90, wait, invalidate_l2, invalidate_l1}), Found{});
  EXPECT_EQ(fences({exchange90, wait, invalidate_l1}), Found{});
}

TEST_F(Decode, MatrixInstructions) {
  // v_mfma_f32_32x32x1_2b_f32 v[0:31], v32, v33, v[0:31] cbsz:1 abid:1 blgp:2
  auto s = micro_ops({0xd3c00900, 0x44024320});
  ASSERT_EQ(s.size(), 1u) << text;
  EXPECT_EQ(s[0].operation, OperationId::v_mfma_f32_32x32x1f32);
  EXPECT_EQ(s[0].imm, 1u | 1 << 8 | 2 << 16);
  EXPECT_EQ(s[0].src[1], vector_operand(33));
  EXPECT_EQ(s[0].uses.dst.registers, 32u);
  // v_mfma_f32_16x16x16_f16 v[0:3], v[32:33], v[34:35], 1.0
  s = micro_ops({0xd3cd0000, 0x03ca4520});
  ASSERT_EQ(s.size(), 1u) << text;
  EXPECT_EQ(s[0].src[2], constant_operand(0x3f800000));
  EXPECT_FALSE(s[0].imm & MATRIX_FLUSHES);
  // v_mfma_f64_16x16x4_f64 v[0:7], v[32:33], v[34:35], v[0:7] neg:[1,0,1]
  s = micro_ops({0xd3ee0000, 0xa4024520});
  ASSERT_EQ(s.size(), 1u) << text;
  EXPECT_EQ(s[0].imm, 5u << 16);
}

TEST_F(Decode, SparseMatrixInstructions) {
  // v_smfmac_f32_16x16x32_f16 v[2:5], v[12:13], v[8:11], v0 cbsz:1 abid:2
  auto s = micro_ops({0xd3e21102, 0x0402110c});
  ASSERT_EQ(s.size(), 1u) << text;
  EXPECT_EQ(s[0].operation, OperationId::v_smfmac_f32_16x16x32_f16);
  EXPECT_EQ(s[0].imm, 0u); // the first set of indices
  EXPECT_EQ(s[0].dst, vector_operand(2));
  EXPECT_EQ(s[0].src[2], vector_operand(0));
  EXPECT_EQ(s[0].uses.src[0].registers, 2u);
  EXPECT_EQ(s[0].uses.src[1].registers, 4u);
  EXPECT_EQ(s[0].uses.src[2].registers, 1u);
  // v_smfmac_i32_16x16x64_i8 v[2:5], v[12:13], v[8:11], v0 abid:1
  s = micro_ops({0xd3ea0802, 0x0402110c});
  ASSERT_EQ(s.size(), 1u) << text;
  EXPECT_EQ(s[0].imm, 16u);
}

TEST_F(Decode, IndicesThatDoNotExistAreUnsupported) {
  // v_smfmac_i32_16x16x64_i8 v[2:5], v[12:13], v[8:11], v0 abid:3
  auto s = micro_ops({0xd3ea1802, 0x0402110c});
  ASSERT_EQ(s.size(), 1u) << text;
  EXPECT_EQ(s[0].kind, MicroOpKind::unsupported);
  EXPECT_NE(std::string(static_cast<const char *>(s[0].data)).find("v_smfmac"),
            std::string::npos);
  EXPECT_TRUE(ends);
}

// A program may jump to each of its instructions in turn.
TEST(DecodedCode, TakesNoMoreThanAFewTimesItsSize) {
  std::vector<uint32_t> code(100000, 0xbf800000); // s_nop 0
  auto begin = reinterpret_cast<u64>(code.data()),
       end = begin + 4 * code.size();
  auto made = Code::create("gfx942", begin, end, Watch{});
  ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
  for (u64 pc = begin; pc < end; pc += 4)
    ASSERT_NE((*made)->find(pc), nullptr);
  EXPECT_LT((*made)->instructions_decoded(), 16 * code.size());
}

} // namespace gpuexec::emulator::amdgpu::test
