//===-- emulator/amdgpu/tests/opcodes_test.cpp - Which opcodes are known --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's opcodes and the rows of the table, compared by name.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/decode/disassembler.h"
#include "emulator/amdgpu/tools/opcodes.h"
#include "emulator/amdgpu/wave/instruction_set.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

#include "gtest/gtest.h"

namespace gpuexec::emulator::amdgpu::test {

TEST(Opcodes, EverythingThatClangEmitsIsKnown) {
  auto opcodes = list_opcodes("gfx942");
  ASSERT_TRUE(bool(opcodes)) << llvm::toString(opcodes.takeError());
  EXPECT_GT(opcodes->size(), 1500u);
  llvm::StringSet<> known;
  for (const Opcode &opcode : *opcodes)
    if (opcode.known)
      known.insert(opcode.mnemonic);
  auto floor = llvm::MemoryBuffer::getFile(FLOOR_FILE);
  ASSERT_TRUE(bool(floor));
  llvm::SmallVector<llvm::StringRef, 0> lines;
  (*floor)->getBuffer().split(lines, '\n', -1, false);
  unsigned looked_at = 0;
  for (llvm::StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    llvm::SmallVector<llvm::StringRef, 0> words;
    line.split(words, ' ', -1, false);
    for (llvm::StringRef word : words) {
      ++looked_at;
      EXPECT_TRUE(known.contains(word)) << word.str();
    }
  }
  EXPECT_GT(looked_at, 300u);
}

// What LLVM's disassembler knows of RDNA 1 and 2 and the emulator does not.
TEST(Opcodes, WhatIsRefusedIsListed) {
  auto file = llvm::MemoryBuffer::getFile(REFUSED_FILE);
  ASSERT_TRUE(bool(file));
  llvm::StringSet<> listed, refused;
  llvm::SmallVector<llvm::StringRef, 0> lines, words;
  (*file)->getBuffer().split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines)
    if (!line.starts_with("#"))
      llvm::SplitString(line, words);
  listed.insert_range(words);
  const llvm::Regex whole_families(
      "^image_|^tbuffer_|_format_|^v_interp_|gws|ordered_count|_lds_|_lds$|"
      "^s_(buffer_)?(atomic|store)|^s_scratch|^s_dcache_discard|^s_atc");
  for (const char *cpu : {"gfx1010", "gfx1030"}) {
    auto opcodes = list_opcodes(cpu);
    ASSERT_TRUE(bool(opcodes)) << llvm::toString(opcodes.takeError());
    EXPECT_GT(opcodes->size(), 1600u) << cpu;
    for (const Opcode &opcode : *opcodes)
      if (!opcode.known && !whole_families.match(opcode.mnemonic)) {
        refused.insert(opcode.mnemonic);
        EXPECT_TRUE(listed.contains(opcode.mnemonic))
            << cpu << ": " << opcode.mnemonic;
      }
  }
  for (llvm::StringRef word : words)
    EXPECT_TRUE(refused.contains(word)) << word.str();
}

TEST(Opcodes, EveryOperationExistsOnSomeProcessor) {
  llvm::StringSet<> names;
  names.insert("v_mul_lo_i32");              // of older processors
  names.insert("buffer_atomic_pk_add_bf16"); // of newer ones
  for (const char *cpu : {"gfx942", "gfx90a", "gfx900", "gfx1010", "gfx1030"}) {
    auto opcodes = list_opcodes(cpu);
    ASSERT_TRUE(bool(opcodes)) << llvm::toString(opcodes.takeError());
    for (const Opcode &opcode : *opcodes)
      names.insert(opcode.mnemonic);
  }
  for (const char *cpu : {"gfx1100", "gfx1201"}) { // by LLVM's names
    auto made = Disassembler::create(cpu, true);
    ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
    for (unsigned opcode : (*made)->opcodes()) {
      llvm::StringRef name = (*made)->llvm_name(opcode);
      if (!name.ends_with("_gfx11") && !name.ends_with("_gfx12"))
        continue;
      if (const Operation *op = (*made)->info(opcode).operation) {
        names.insert(op->name);
        if (llvm::StringRef(op->name).contains("_iu")) // with neg_lo
          for (const char *signs : {"_s0", "_s1", "_s01"})
            names.insert(std::string(op->name) + signs);
      }
    }
  }
  for (unsigned k = 1; k < OPERATIONS; ++k) {
    const char *name = operation(OperationId(k)).name;
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(Opcodes, UnknownProcessorIsAnError) {
  auto isa = create_instruction_set("gfx1150");
  ASSERT_FALSE(bool(isa));
  EXPECT_NE(llvm::toString(isa.takeError()).find("gfx1150"), std::string::npos);
}

} // namespace gpuexec::emulator::amdgpu::test
