//===-- emulator/amdgpu/tests/memory_forms_test.cpp - Modifiers of memory -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every load, store and atomic that the emulator knows, in every encoding of a
// processor, with each bit of the encoding changed alone. LLVM's printer says
// which modifier the bit is. Cache policies change nothing; offsets change the
// micro-op by what is printed; whatever else there is must be refused by name.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/decode/translate.h"
#include "emulator/amdgpu/tests/processors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

#include "gtest/gtest.h"

#include <cstring>
#include <map>
#include <set>

namespace gpuexec::emulator::amdgpu::test {
namespace {

enum class Means { nothing, policy, offset, registers, other };

/// What a word of an instruction's text, behind the mnemonic, is.
Means meaning_of(llvm::StringRef word) {
  const llvm::StringRef name = word.split(':').first.rtrim(',');
  if (llvm::StringSwitch<bool>(name)
          .Cases({"glc", "slc", "dlc", "scc", "sc0", "sc1", "nt", "th", "scope",
                  "nv"},
                 true)
          .Default(false))
    return Means::policy;
  if (name == "offset" || name == "offset0" || name == "offset1")
    return Means::offset;
  if (llvm::StringSwitch<bool>(name)
          .Cases({"gds", "tfe", "lds", "lwe", "r128", "a16", "swz", "unorm",
                  "scale_offset", "offen", "idxen", "format"},
                 true)
          .Default(false))
    return Means::other;
  return Means::registers;
}

struct Decoded {
  llvm::MCInst inst;
  const OpcodeInfo *info = nullptr;
  std::string text;
  std::vector<MicroOp> ops;
  bool refused = false;
};

class MemoryForms : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    auto made = Disassembler::create(GetParam());
    ASSERT_TRUE(bool(made));
    disassembler = std::move(*made);
  }
  /// False if it is no load, store or atomic that the table has.
  bool decode(const u32 (&words)[3], Decoded &to) {
    to = {};
    const unsigned size = disassembler->decode(
        {reinterpret_cast<const uint8_t *>(words), 12}, 0, to.inst);
    if (!size)
      return false;
    to.info = &disassembler->info(to.inst.getOpcode());
    if (!to.info->operation || (to.info->operation->form != Form::memory &&
                                to.info->operation->form != Form::scalar_load))
      return false;
    to.text = disassembler->print(to.inst, 0);
    Translator translator(*disassembler, nullptr);
    bool ends = false;
    translator.translate(to.inst, 0, size, texts, to.ops, ends);
    to.refused = llvm::any_of(to.ops, [](const MicroOp &op) {
      return op.kind == MicroOpKind::unsupported ||
             op.kind == MicroOpKind::illegal;
    });
    return true;
  }
  /// The operation's own micro-op.
  static const MicroOp &main_of(const Decoded &d) {
    for (const MicroOp &op : d.ops)
      if (op.kind == MicroOpKind::operation)
        return op;
    return d.ops.back();
  }
  static std::vector<llvm::StringRef> words_of(llvm::StringRef text) {
    llvm::SmallVector<llvm::StringRef, 12> words;
    text.split(words, ' ', -1, false);
    return {words.begin() + 1, words.end()};
  }
  static i64 printed(const Decoded &d, llvm::StringRef name) {
    i64 value = 0;
    for (llvm::StringRef word : words_of(d.text)) {
      auto [key, number] = word.split(':');
      if (key == name)
        number.getAsInteger(0, value);
    }
    return value;
  }
  /// What is wrong with an instruction that has another modifier; empty:
  /// nothing.
  std::string check(const Decoded &plain, const Decoded &changed, Means means) {
    if (changed.refused)
      return "";
    const MicroOp &a = main_of(plain), &b = main_of(changed);
    const MemoryAccess &access = plain.info->operation->memory;
    const bool same_registers =
        (a.dst == b.dst || access.access == Access::atomic) &&
        llvm::equal(a.src, b.src) && a.sdst == b.sdst && a.mods == b.mods;
    const bool two = access.unit > 1 || is_two(access.access);
    if (means == Means::policy)
      return same_registers && a.imm == b.imm && a.scond == b.scond
                 ? ""
                 : "a cache policy changes more";
    if (means == Means::offset) {
      if (!same_registers)
        return "the offset changes a register";
      if (two)
        return i64(b.imm) == printed(changed, "offset0") * access.unit &&
                       b.scond == printed(changed, "offset1") * access.unit
                   ? ""
                   : "another offset";
      i64 offset = printed(changed, "offset");
      // Flat instructions: the guides say that the top bit is ignored.
      const unsigned generation = disassembler->target().generation;
      if (access.space == Space::flat && generation < 12)
        offset %= generation == 10 ? 2048 : 4096;
      return i64(b.imm) == offset ? "" : "another offset";
    }
    return "is ignored";
  }
  static bool is_two(Access access) {
    return access == Access::load_two || access == Access::store_two;
  }

  std::unique_ptr<Disassembler> disassembler;
  std::deque<std::string> texts;
};

TEST_P(MemoryForms, PolicyOffsetOrRefused) {
  std::map<std::string, unsigned> seen, wrong;
  std::set<unsigned> opcodes;
  unsigned forms = 0, checked = 0, refused = 0;
  std::map<std::string, std::string> failures;
  Decoded plain, changed;
  for (u32 high = 0xc000; high < 0x10000; ++high)
    for (u32 low : {0u, 0x7cu, 0x7du, 0x2000u, 0x8000u, 0xa000u, 0x4000u})
      for (u32 second :
           {0x04040404u, 0x047f0404u, 0x047d0404u, 0x047c0404u, 0x80020404u,
            0x00040404u, 0x02000404u, 0x00800004u, 0x02000004u, 0u}) {
        const u32 words[3] = {high << 16 | low, second,
                              disassembler->target().generation >= 12 ? 4u
                                                                      : 0u};
        if (!decode(words, plain) || plain.refused ||
            !opcodes.insert(plain.inst.getOpcode()).second)
          continue;
        ++forms;
        for (unsigned bit = 0; bit < 96; ++bit) {
          u32 other[3] = {words[0], words[1], words[2]};
          other[bit / 32] ^= 1u << (bit % 32);
          if (!decode(other, changed) ||
              changed.info->operation != plain.info->operation ||
              changed.text == plain.text)
            continue;
          const auto before = words_of(plain.text),
                     after = words_of(changed.text);
          Means means = Means::nothing;
          std::string name;
          for (const auto *both : {&before, &after})
            for (llvm::StringRef word : *both)
              if (!llvm::is_contained(both == &before ? after : before, word) &&
                  means != Means::registers) {
                means = meaning_of(word);
                name = word.split(':').first.str();
              }
          if (means == Means::registers || means == Means::nothing)
            continue;
          ++checked;
          ++seen[name];
          refused += changed.refused;
          const std::string what = check(plain, changed, means);
          if (what.empty())
            continue;
          ++wrong[name];
          failures.emplace(name + " " + what,
                           plain.text + " -> " + changed.text);
        }
      }
  std::printf("%s: %u forms of memory, %u with a modifier, %u of them refused;",
              GetParam(), forms, checked, refused);
  for (auto &[name, count] : seen)
    std::printf(" %s %u", name.c_str(), count);
  std::printf("\n");
  EXPECT_GT(forms, 180u);
  EXPECT_GT(checked, 2000u);
  for (auto &[what, text] : failures)
    ADD_FAILURE() << what << ": " << text;
}

GPUEXEC_TEST_ON_EACH_PROCESSOR(MemoryForms);

} // namespace
} // namespace gpuexec::emulator::amdgpu::test
