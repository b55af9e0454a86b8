// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which micro-ops the baseline compiler has stencils for. What their code
// computes is compared with the host's in test/differential.
#include "emulator/amdgpu/baseline/block_code.h"
#include "emulator/amdgpu/baseline/choice.h"
#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/decode/state.h"
#include "emulator/amdgpu/decode/whole_registers.h"
#include "emulator/amdgpu/interpret/level.h"

#include <gtest/gtest.h>

using namespace gpuexec::emulator::amdgpu;
using namespace gpuexec::emulator::amdgpu::baseline;

namespace {

Inst vector_inst(OperationId id) {
  Inst inst;
  inst.operation = id;
  inst.dst = vector_operand(1);
  for (unsigned k = 0; k < operation(id).sources; ++k)
    inst.src[k] = vector_operand(2 + 2 * k);
  inst.scond = scalar_operand(VCC);
  return inst;
}

TEST(BaselineChoice, IntegersOfRowsScalarsAndLiterals) {
  for (OperationId id :
       {OperationId::v_add_u32, OperationId::v_lshl_add_u64,
        OperationId::v_cndmask_b32, OperationId::v_cmp_lt_i32,
        OperationId::v_cmp_eq_u64, OperationId::v_cmp_ne_u16}) {
    Inst inst = vector_inst(id);
    EXPECT_TRUE(choose_stencil(inst, true)) << name_of(inst);
    inst.src[0] = scalar_operand(4);
    EXPECT_TRUE(choose_stencil(inst, true)) << name_of(inst) << ", scalar";
    inst.src[0] = LITERAL;
    EXPECT_TRUE(choose_stencil(inst, true)) << name_of(inst) << ", literal";
  }
}

TEST(BaselineChoice, OnlySignsOfFloatsAreModified) {
  Inst inst = vector_inst(OperationId::v_add_f64);
  const Stencil *plain = choose_stencil(inst, true);
  inst.mods = mod_neg(1) | mod_abs(0);
  const Stencil *modified = choose_stencil(inst, true);
  ASSERT_TRUE(plain);
  ASSERT_TRUE(modified);
  EXPECT_NE(plain, modified);
  EXPECT_EQ(signs_of_source(inst, 0).keep, ~(u64(1) << 63));
  EXPECT_EQ(signs_of_source(inst, 1).flip, u64(1) << 63);
  EXPECT_EQ(signs_of_source(inst, 1).keep, ~u64(0));
  inst.mods = MOD_CLAMP;
  EXPECT_FALSE(choose_stencil(inst, true));
  inst = vector_inst(OperationId::v_add_u32);
  inst.mods = mod_neg(0);
  EXPECT_FALSE(choose_stencil(inst, true));
}

TEST(BaselineChoice, WithoutTheLane) {
  Inst add = vector_inst(OperationId::v_add_u32),
       compare = vector_inst(OperationId::v_cmp_lt_i32);
  EXPECT_TRUE(is_nothing_without_lane(add));
  EXPECT_FALSE(is_nothing_without_lane(compare));
  const Stencil *zero = choose_stencil(compare, false);
  ASSERT_TRUE(zero); // it writes a mask of no lanes
  EXPECT_EQ(Special(zero->key.special), Special::zero_mask);
  // What dpp skips, masked_copy must not read.
  for (MicroOpKind kind : {MicroOpKind::dpp, MicroOpKind::masked_copy,
                           MicroOpKind::sdwa, MicroOpKind::sdwa_merge}) {
    Inst part;
    part.kind = kind;
    EXPECT_TRUE(is_nothing_without_lane(part)) << name_of(part);
  }
  Inst scalar;
  scalar.operation = OperationId::s_add_u32;
  scalar.dst = scalar_operand(0);
  scalar.src[0] = scalar.src[1] = scalar_operand(2);
  EXPECT_FALSE(is_nothing_without_lane(scalar));
  EXPECT_EQ(choose_stencil(scalar, false), choose_stencil(scalar, true));
}

TEST(BaselineChoice, WritesOfExecAreStencilsOfTheirOwn) {
  Inst inst;
  inst.operation = OperationId::s_mov_b64;
  inst.dst = scalar_operand(2);
  inst.src[0] = scalar_operand(4);
  const Stencil *plain = choose_stencil(inst, true);
  inst.dst = scalar_operand(EXEC);
  inst.variant = Variant::writes_exec;
  EXPECT_TRUE(writes_exec(inst));
  ASSERT_TRUE(choose_stencil(inst, true));
  EXPECT_NE(choose_stencil(inst, true), plain);
  inst.operation = OperationId::s_add_u32; // half of it, and no mask
  EXPECT_FALSE(choose_stencil(inst, true));
}

TEST(BaselineChoice, MasksOf32Lanes) {
  for (OperationId id : {OperationId::s_mov_b32, OperationId::s_and_b32,
                         OperationId::s_andn2_b32, OperationId::s_or_b32,
                         OperationId::s_xor_b32, OperationId::s_cselect_b32}) {
    Inst inst;
    inst.operation = id;
    inst.dst = scalar_operand(EXEC);
    inst.src[0] = inst.src[1] = scalar_operand(4);
    inst.variant = Variant::writes_exec;
    EXPECT_TRUE(writes_exec(inst));
    EXPECT_TRUE(choose_stencil(inst, true)) << name_of(inst);
  }
  for (OperationId id :
       {OperationId::s_and_saveexec_b32, OperationId::s_or_saveexec_b32,
        OperationId::s_andn2_wrexec_b32}) {
    Inst inst;
    inst.operation = id;
    inst.dst = inst.src[0] = scalar_operand(4);
    EXPECT_TRUE(writes_exec(inst));
    EXPECT_TRUE(choose_stencil(inst, true)) << name_of(inst);
  }
  for (OperationId id :
       {OperationId::s_cbranch_vccz_w32, OperationId::s_cbranch_vccnz_w32}) {
    Inst inst;
    inst.operation = id;
    EXPECT_TRUE(choose_stencil(inst, true)) << name_of(inst);
  }
  Inst copy;
  copy.kind = MicroOpKind::copy_scalar;
  copy.imm = 3; // vccz
  EXPECT_TRUE(choose_stencil(copy, true));
}

// RDNA's vector instructions have a literal in any place, once.
TEST(BaselineChoice, LiteralsInAnyPlace) {
  for (OperationId id : {OperationId::v_lshl_add_u32, OperationId::v_and_or_b32,
                         OperationId::v_fma_f32})
    for (unsigned k = 0; k < 3; ++k) {
      Inst inst = vector_inst(id);
      inst.src[k] = LITERAL;
      EXPECT_TRUE(choose_stencil(inst, true)) << name_of(inst) << " " << k;
    }
  Inst select;
  select.operation = OperationId::s_cselect_b32;
  select.src[0] = scalar_operand(4);
  select.src[1] = LITERAL;
  EXPECT_TRUE(choose_stencil(select, true));
}

TEST(BaselineChoice, HalvesOfRegisters) {
  Inst move = vector_inst(OperationId::v_mov_b16);
  EXPECT_TRUE(choose_stencil(move, true));
  Inst upper;
  upper.kind = MicroOpKind::upper_half;
  upper.dst = temp_operand(0);
  upper.src[0] = vector_operand(2);
  const Stencil *of_row = choose_stencil(upper, true);
  ASSERT_TRUE(of_row);
  upper.src[0] = scalar_operand(2);
  EXPECT_EQ(choose_stencil(upper, true), of_row);
  upper.src[0] = LITERAL;
  ASSERT_TRUE(choose_stencil(upper, true));
  EXPECT_NE(choose_stencil(upper, true), of_row);
  Inst insert;
  insert.kind = MicroOpKind::insert_half;
  insert.dst = vector_operand(2);
  insert.src[0] = temp_operand(6);
  const Stencil *low = choose_stencil(insert, true);
  ASSERT_TRUE(low);
  insert.imm = 1;
  ASSERT_TRUE(choose_stencil(insert, true));
  EXPECT_NE(choose_stencil(insert, true), low);
  insert.imm = 2; // in the lanes that DPP lets write
  EXPECT_FALSE(choose_stencil(insert, true));
}

TEST(BaselineChoice, Memory) {
  Inst load;
  load.operation = OperationId::global_load_dwordx2;
  load.dst = vector_operand(1);
  load.src[0] = vector_operand(4);
  EXPECT_TRUE(choose_stencil(load, true));
  load.src[1] = scalar_operand(2);
  EXPECT_TRUE(choose_stencil(load, true));
  load.operation = OperationId::global_atomic_add; // the interpreter's
  EXPECT_FALSE(choose_stencil(load, true));
  Inst two;
  two.operation = OperationId::ds_read2_b64;
  two.dst = vector_operand(1);
  two.src[0] = vector_operand(8);
  EXPECT_TRUE(choose_stencil(two, true));
  two.operation = OperationId::ds_write2st64_b32;
  two.src[1] = two.src[2] = vector_operand(2);
  EXPECT_TRUE(choose_stencil(two, true));
  for (OperationId id : {OperationId::s_load_u8, OperationId::s_load_i8,
                         OperationId::s_load_u16, OperationId::s_load_i16}) {
    Inst part;
    part.operation = id;
    part.src[0] = scalar_operand(2);
    EXPECT_TRUE(choose_stencil(part, true)) << name_of(part);
    part.src[1] = scalar_operand(4);
    EXPECT_TRUE(choose_stencil(part, true)) << name_of(part);
  }
}

// The stack's buffer alone is compiled; others leave when they are met, and
// those with an index always.
TEST(Stencils, AccessesByBuffer) {
  for (OperationId id :
       {OperationId::buffer_load_dword, OperationId::buffer_store_byte,
        OperationId::buffer_load_dwordx4}) {
    Inst access;
    access.operation = id;
    access.sdst = scalar_operand(0);
    access.src[1] = scalar_operand(33);
    access.dst = access.src[2] = vector_operand(4);
    EXPECT_TRUE(choose_stencil(access, true)) << name_of(access);
    access.mods = BUFFER_OFFEN;
    access.src[0] = vector_operand(1);
    EXPECT_TRUE(choose_stencil(access, true)) << name_of(access);
    access.mods = BUFFER_IDXEN;
    EXPECT_FALSE(choose_stencil(access, true)) << name_of(access);
  }
}

unsigned length(std::vector<Inst> insts) {
  insts.emplace_back(); // what follows
  return whole_registers_at(insts.data());
}

// Functions save all lanes of a register between s_or_saveexec_b64 s[2:3], -1
// and s_mov_b64 exec, s[2:3].
TEST(WholeRegisters, Sequences) {
  Inst save, store, load, wait, restore;
  save.operation = OperationId::s_or_saveexec_b64;
  save.dst = scalar_operand(2);
  save.src[0] = constant_operand(~u64(0));
  store.operation = OperationId::scratch_store_dword;
  store.src[1] = scalar_operand(33);
  store.src[2] = vector_operand(40);
  load.operation = OperationId::scratch_load_dword;
  load.src[1] = scalar_operand(33);
  load.dst = vector_operand(41);
  wait.operation = OperationId::s_waitcnt;
  restore.operation = OperationId::s_mov_b64;
  restore.variant = Variant::writes_exec;
  restore.dst = scalar_operand(EXEC);
  restore.src[0] = scalar_operand(2);
  EXPECT_EQ(length({save, store, restore}), 3u);
  EXPECT_EQ(length({save, load, wait, store, restore}), 5u);
  EXPECT_EQ(length({save, restore}), 0u) << "moves nothing";
  Inst by_buffer = store;
  by_buffer.operation = OperationId::buffer_store_dword;
  by_buffer.sdst = scalar_operand(4);
  EXPECT_EQ(length({save, by_buffer, restore}), 3u);
  by_buffer.sdst = scalar_operand(0); // s[0:3]
  EXPECT_EQ(length({save, by_buffer, restore}), 3u);
  Inst over = save, back = restore;
  over.dst = back.src[0] = scalar_operand(0);
  EXPECT_EQ(length({over, by_buffer, back}), 0u) << "the descriptor changes";
  EXPECT_EQ(length({save, store, wait}), 0u) << "EXEC stays";
  EXPECT_EQ(length({store, restore}), 0u) << "begins elsewhere";
  Inst other = restore;
  other.src[0] = scalar_operand(4);
  EXPECT_EQ(length({save, store, other}), 0u) << "another EXEC";
  other = restore;
  other.variant = Variant::plain;
  EXPECT_EQ(length({save, store, other}), 0u) << "EXEC is not written";
  other = store;
  other.src[0] = vector_operand(3);
  EXPECT_EQ(length({save, other, restore}), 0u) << "an address in each lane";
  for (unsigned saved : {2, 3}) {
    other = store;
    other.src[1] = scalar_operand(saved);
    EXPECT_EQ(length({save, other, restore}), 0u) << "base s" << saved;
  }
  other = save;
  other.src[0] = scalar_operand(6);
  EXPECT_EQ(length({other, store, restore}), 0u) << "not all lanes";
  other = restore;
  other.dst = scalar_operand(8);
  EXPECT_EQ(length({save, store, other}), 0u) << "to another register";
}

// With s_or_saveexec_b32 s2, -1 and s_mov_b32 exec_lo, s2.
TEST(WholeRegisters, SequencesOf32Lanes) {
  Inst save, store, restore;
  save.operation = OperationId::s_or_saveexec_b32;
  save.dst = scalar_operand(2);
  save.src[0] = constant_operand(~u64(0));
  store.operation = OperationId::scratch_store_dword;
  store.src[1] = scalar_operand(3); // not saved into
  store.src[2] = vector_operand(40);
  restore.operation = OperationId::s_mov_b32;
  restore.variant = Variant::writes_exec;
  restore.dst = scalar_operand(EXEC);
  restore.src[0] = scalar_operand(2);
  EXPECT_EQ(length({save, store, restore}), 3u);
  Inst other = restore;
  other.dst = scalar_operand(EXEC + 1);
  EXPECT_EQ(length({save, store, other}), 0u) << "the upper half";
  other = restore;
  other.operation = OperationId::s_mov_b64;
  EXPECT_EQ(length({save, store, other}), 0u) << "more than was saved";
  other = store;
  other.src[1] = scalar_operand(2);
  EXPECT_EQ(length({save, other, restore}), 0u) << "base s2";
}

// A number that an instruction extends with zeros must not be negative, and
// none may have more than 32 bits.
TEST(BaselineBlockCode, NumbersThatFit) {
  Inst load;
  load.operation = OperationId::global_load_dword;
  load.dst = vector_operand(1);
  load.src[0] = vector_operand(4);
  load.src[1] = scalar_operand(2);
  const Stencil *stencil = choose_stencil(load, true);
  ASSERT_TRUE(stencil);
  Filling filling;
  EXPECT_TRUE(BlockCode::fits(*stencil, filling));
  filling.number(Hole::offset) = i64(1) << 32;
  EXPECT_FALSE(BlockCode::fits(*stencil, filling));
}

// A jump over a stencil, and one back to the code's begin.
TEST(BaselineBlockCode, JumpsAndLabels) {
  BlockCode code(0x10000, 0x20000);
  const Label begin = code.new_label(), behind = code.new_label();
  code.place(begin);
  code.jump(behind);
  code.jump(begin);
  code.place(behind);
  code.finish();
  const std::vector<u8> &bytes = code.bytes();
  ASSERT_GE(bytes.size(), 10u);
  EXPECT_EQ(bytes[0], 0xe9);
  EXPECT_EQ(bytes[1], 5); // over the second jump
  EXPECT_EQ(bytes[5], 0xe9);
  EXPECT_EQ(bytes[6], 0xf6); // -10
  EXPECT_EQ(code.address_of(behind), 0x1000au);
}

// Waves of many lanes.

TEST(WaveChoice, RoutinesOfRowsScalarsAndLiterals) {
  for (OperationId id :
       {OperationId::v_add_u32, OperationId::v_lshl_add_u64,
        OperationId::v_cndmask_b32, OperationId::v_cmp_lt_i32,
        OperationId::v_cmp_eq_u64, OperationId::v_cmp_ne_u16}) {
    Inst inst = vector_inst(id);
    const Routine rows = choose_routine(inst, false);
    EXPECT_TRUE(rows) << name_of(inst);
    EXPECT_FALSE(reads_literal_slot(inst)) << name_of(inst);
    inst.src[0] = scalar_operand(4);
    const Routine scalar = choose_routine(inst, false);
    EXPECT_TRUE(scalar) << name_of(inst) << ", scalar";
    EXPECT_NE(rows, scalar) << name_of(inst);
    inst.src[0] = LITERAL;
    EXPECT_EQ(choose_routine(inst, false), scalar) << name_of(inst);
    EXPECT_TRUE(reads_literal_slot(inst)) << name_of(inst);
    EXPECT_NE(choose_routine(inst, true), scalar) << name_of(inst);
    EXPECT_TRUE(choose_wave_stencil(inst)) << name_of(inst);
  }
}

TEST(WaveChoice, OnlySignsOfFloatsAreModified) {
  Inst inst = vector_inst(OperationId::v_add_f64);
  const Routine plain = choose_routine(inst, false);
  inst.mods = mod_neg(1);
  const Routine modified = choose_routine(inst, false);
  EXPECT_TRUE(plain);
  EXPECT_TRUE(modified);
  EXPECT_NE(plain, modified);
  inst.mods = MOD_CLAMP;
  EXPECT_FALSE(choose_routine(inst, false));
  inst = vector_inst(OperationId::v_add_u32);
  inst.variant = Variant::saturating;
  EXPECT_FALSE(choose_routine(inst, false));
}

TEST(WaveChoice, EachRoutineForAllLanesHasOneForAny) {
  const RoutineTable table = best_level().routines();
  unsigned count = 0;
  for (const RoutineRow *row = table.rows; row != table.rows + table.count;
       ++row) {
    if (!row->routine)
      continue;
    ++count;
    RoutineKey other = row->key;
    other.masked = !other.masked;
    EXPECT_TRUE(find_routine(other)) << "operation " << row->key.operation;
    EXPECT_EQ(find_routine(row->key), row->routine);
  }
  EXPECT_GT(count, 1000u);
}

TEST(WaveChoice, AddressesOfMemory) {
  Inst load;
  load.operation = OperationId::global_load_dword;
  load.dst = vector_operand(1);
  load.src[0] = vector_operand(2);
  const Routine pair = choose_routine(load, true);
  load.src[1] = scalar_operand(4);
  const Routine base = choose_routine(load, true);
  EXPECT_TRUE(pair);
  EXPECT_TRUE(base);
  EXPECT_NE(pair, base);
  load.src[0] = 0; // one address for all lanes
  EXPECT_FALSE(choose_routine(load, true));
  load.operation = OperationId::scratch_load_dword;
  EXPECT_TRUE(choose_routine(load, true));
  load.src[0] = vector_operand(2); // lanes at different places of theirs
  EXPECT_FALSE(choose_routine(load, true));
  load.operation = OperationId::ds_read_b32;
  EXPECT_FALSE(choose_routine(load, true));
}

TEST(WaveChoice, ScalarsHaveTheStencilsOfOneLane) {
  Inst add;
  add.operation = OperationId::s_add_u32;
  add.dst = scalar_operand(0);
  add.src[0] = add.src[1] = scalar_operand(2);
  EXPECT_EQ(choose_wave_stencil(add), choose_stencil(add, true));
  Inst mask;
  mask.operation = OperationId::s_and_saveexec_b64;
  mask.dst = scalar_operand(0);
  mask.src[0] = scalar_operand(VCC);
  const Stencil *wave = choose_wave_stencil(mask);
  ASSERT_TRUE(wave);
  EXPECT_EQ(Lanes(wave->key.lanes), Lanes::any);
  EXPECT_NE(wave, choose_stencil(mask, true));
  Inst first;
  first.operation = OperationId::v_readfirstlane_b32;
  first.dst = scalar_operand(0);
  first.src[0] = scalar_operand(2); // has no lanes
  EXPECT_FALSE(choose_wave_stencil(first));
  first.src[0] = vector_operand(2);
  EXPECT_TRUE(choose_wave_stencil(first));
}

} // namespace
