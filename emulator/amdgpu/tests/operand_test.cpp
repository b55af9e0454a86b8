//===-- emulator/amdgpu/tests/operand_test.cpp - Where operands lie -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handler trusts its operands. So (1) whatever words are decoded, every
// operand of every micro-op that comes of them is wholly inside the registers,
// and (2) a handler touches no more registers than its table line says.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/decode/translate.h"
#include "emulator/amdgpu/interpret/level.h"

#include "llvm/MC/MCInstrInfo.h"

#include "gtest/gtest.h"

#include <cstring>
#include <random>

namespace gpuexec::emulator::amdgpu::test {
namespace {

// What a State's registers are, said once more and independently of uses.cpp:
// one letter for each dword of State.
class Map {
public:
  Map() : letters(sizeof(State) / 4, '.') {
    fill(offsetof(State, s), 102 * 4, 'g');
    fill(scalar_operand(FLAT_SCRATCH), 8, 'f');
    fill(scalar_operand(XNACK_MASK), 8, 'x');
    fill(scalar_operand(VCC), 8, 'c');
    fill(scalar_operand(TTMP0), 64, 't');
    fill(scalar_operand(M0), 4, 'm');
    fill(scalar_operand(EXEC), 8, 'e');
    fill(offsetof(State, slots), sizeof(State::slots), 'o');
    fill(offsetof(State, constants), sizeof(State::constants), 'k');
    fill(offsetof(State, temp), sizeof(State::temp), 'T');
    fill(offsetof(State, v), sizeof(State::v) / 2, 'V');
    fill(offsetof(State, v) + sizeof(State::v) / 2, sizeof(State::v) / 2, 'A');
  }
  /// The letter that all of [offset, offset + bytes) has, or '.'.
  char at(u64 offset, u64 bytes) const {
    if (offset % 4 || offset / 4 + bytes / 4 > letters.size() || !bytes)
      return '.';
    char first = letters[offset / 4];
    for (u64 k = 1; k < bytes / 4; ++k)
      if (letters[offset / 4 + k] != first)
        return '.';
    return first;
  }

private:
  void fill(u64 offset, u64 bytes, char letter) {
    std::fill_n(letters.begin() + long(offset / 4), bytes / 4, letter);
  }
  std::string letters;
};

/// Empty, or what is wrong with the operand.
std::string complaint(const Map &map, Operand operand, Use use, bool aligned) {
  if (use.file == File::none || (operand == 0 && use.optional))
    return "";
  if (operand == LITERAL)
    return use.written || use.registers > 2 || use.file == File::scalar ||
                   use.file == File::vector
               ? "literal"
               : "";
  if (operand < 0)
    return "nowhere";
  bool row = operand & ROW;
  u64 offset = u64(operand & ~ROW);
  char letter = map.at(offset, use.registers * (row ? LANES * 4 : 4));
  std::string found = std::string(1, letter) + " at " + std::to_string(offset) +
                      ", registers " + std::to_string(use.registers);
  if (row) {
    u64 base = letter == 'T' ? offsetof(State, temp) : offsetof(State, v);
    if ((letter != 'V' && letter != 'A' && letter != 'T') ||
        (offset - base) % 256 ||
        (use.file != File::vector && use.file != File::any))
      return "row " + found;
    if (aligned && letter != 'T' && use.registers > 1 &&
        (offset - base) / 256 % 2)
      return "odd row " + found;
    return "";
  }
  if (letter == '.' || letter == 'V' || letter == 'A' || letter == 'T' ||
      use.file == File::vector || (letter == 'k' && use.written) ||
      (letter == 'k' && use.file == File::scalar))
    return "scalar " + found;
  return "";
}

std::string complaint(const Map &map, const MicroOp &op, bool aligned) {
  std::string what;
  auto look = [&](const char *name, Operand operand, Use use) {
    std::string one = complaint(map, operand, use, aligned);
    if (!one.empty())
      what += std::string(name) + ": " + one + "; ";
  };
  look("dst", op.dst, op.uses.dst);
  for (unsigned k = 0; k < 3; ++k)
    look("src", op.src[k], op.uses.src[k]);
  look("sdst", op.sdst, op.uses.sdst);
  look("scond", op.scond, op.uses.scond);
  return what;
}

/// Words that begin with each pattern of the upper 16 bits, and with the VOP1
/// and SOP1 opcodes that lie lower; fields are random or extreme.
class Words {
public:
  explicit Words(unsigned seed) : random(seed) {}
  /// `tame`: plain fields, all registers even, so that most are accepted.
  void fill(u32 (&words)[3], u32 number, bool tame) {
    static constexpr u8 EXTREMES[] = {0,   1,   101, 102, 103, 104, 105, 106,
                                      107, 108, 123, 124, 125, 126, 127, 128,
                                      192, 193, 208, 235, 238, 239, 240, 248,
                                      249, 250, 251, 252, 253, 254, 255};
    for (u32 &word : words) {
      word = u32(random());
      if (tame)
        word &= 0xfafafcfe;
      for (unsigned at : {0u, 8u, 16u, 24u})
        if (!tame && random() % 3 == 0)
          word = (word & ~(0xffu << at)) |
                 u32(EXTREMES[random() % sizeof(EXTREMES)]) << at;
    }
    u32 low = words[0] & 0xffff;
    if (number < 0x10000)
      words[0] = number << 16 | low;
    else if (number < 0x10000 + 256) // VOP1
      words[0] = 0x3fu << 25 | (words[0] & 0x1fe01ff) | (number & 255) << 9;
    else if (number < 0x10000 + 512) // SOP1
      words[0] = 0x17du << 23 | (words[0] & 0x7f00ff) | (number & 255) << 8;
    else // VOP1, VOP2, VOPC with SDWA or DPP
      words[0] = (random() & 0x7ffffe00) | (random() % 2 ? 249 : 250);
  }
  static constexpr u32 NUMBERS = 0x10000 + 512 + 8192;
  /// Encodings whose opcode is in the upper half: SMEM, VOP3, DS, FLAT, MUBUF.
  static constexpr u32 FIRST_LONG = 0xc000, LAST_LONG = 0xe7ff;

private:
  std::mt19937 random;
};

class Encodings : public testing::TestWithParam<const char *> {};

TEST_P(Encodings, OperandsOfAllMicroOpsAreRegisters) {
  auto made = Disassembler::create(GetParam());
  ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
  Disassembler &disassembler = **made;
  auto is_refused = [](const Inst &op) {
    return op.kind == MicroOpKind::illegal ||
           op.kind == MicroOpKind::unsupported;
  };
  Map map;
  Words words(1);
  llvm::DenseMap<unsigned, unsigned> accepted;
  unsigned refused = 0;
  for (u32 round = 0; round < 36; ++round)
    for (u32 number = 0; number < Words::NUMBERS; ++number) {
      if (round >= 8 &&
          (number < Words::FIRST_LONG || number > Words::LAST_LONG))
        continue;
      u32 code[3];
      words.fill(code, number, round % 3 == 0 || round >= 8);
      llvm::MCInst inst;
      unsigned size = disassembler.decode(
          {reinterpret_cast<uint8_t *>(code), sizeof(code)}, 0, inst);
      if (!size)
        continue;
      const OpcodeInfo &info = disassembler.info(inst.getOpcode());
      if (!info.operation)
        continue;
      // Alone, and with the vector operands moved by M0.
      BasicBlocks basic_blocks(64);
      Translator translator(disassembler,
                            round % 4 == 3 ? &basic_blocks : nullptr);
      std::deque<std::string> texts;
      std::vector<MicroOp> ops;
      bool ends = false;
      if (round % 2) {
        u32 indexed = 0xbf11000f; // s_set_gpr_idx_on s0, 15
        llvm::MCInst on;
        disassembler.decode({reinterpret_cast<uint8_t *>(&indexed), 4}, 0, on);
        translator.translate(on, 0, 4, texts, ops, ends);
        ops.clear();
      }
      translator.translate(inst, 0, size, texts, ops, ends);
      for (const MicroOp &op : ops) {
        if (is_refused(op)) {
          ++refused;
          continue;
        }
        std::string what =
            complaint(map, op, disassembler.register_rules().aligned);
        ASSERT_EQ(what, "") << disassembler.print(inst, 0) << std::hex << " "
                            << code[0] << " " << code[1];
        if (op.kind != MicroOpKind::indexed)
          continue;
        // The farthest index, and the operands that it moves.
        MicroOp moved = *(&op + 1);
        for (unsigned k = 0; k < 3; ++k)
          if (op.imm >> k & 1 && moved.src[k] & ROW &&
              moved.src[k] != LITERAL && moved.uses.src[k].file != File::none)
            moved.src[k] += op.scond * Operand(LANES * 4);
        if (op.imm >> 3 & 1 && moved.dst & ROW)
          moved.dst += op.scond * Operand(LANES * 4);
        EXPECT_EQ(complaint(map, moved, false), "")
            << disassembler.print(inst, 0) << " index " << op.scond;
      }
      if (!ops.empty() && !is_refused(ops.back()))
        ++accepted[inst.getOpcode()];
    }
  EXPECT_GT(refused, 1000u);
  // Nearly all of them were met several times.
  std::string names;
  unsigned seldom = 0;
  for (auto [opcode, count] : accepted)
    if (count < 4) {
      ++seldom;
      names += disassembler.llvm_name(opcode).str() + " ";
    }
  EXPECT_GT(accepted.size(), 1000u);
  EXPECT_LT(seldom, accepted.size() / 4) << names;
}

INSTANTIATE_TEST_SUITE_P(Processors, Encodings,
                         testing::Values("gfx942", "gfx90a"),
                         [](const auto &info) { return info.param; });

// Handlers against their table lines.

class Execution {
public:
  Execution() : state(new State), before(new State) {
    fill_constants(*state);
    state->dispatch = &dispatch; // s_memtime asks it for a clock
  }

  /// Random registers; `shape` of EXEC.
  void prepare(Shape shape) {
    auto *words = reinterpret_cast<u32 *>(state->v);
    for (size_t k = 0; k < sizeof(State::v) / 4; ++k)
      words[k] = u32(random());
    words = reinterpret_cast<u32 *>(state->temp);
    for (size_t k = 0; k < sizeof(State::temp) / 4; ++k)
      words[k] = u32(random());
    for (u32 &s : state->s)
      s = u32(random());
    state->scc = random() % 2;
    u64 random_mask = u64(random()) << 32 | random();
    state->mask(EXEC) = shape == FULL   ? ~u64(0)
                        : shape == NONE ? 0
                        : shape == ONE  ? u64(1) << random() % 64
                                        : random_mask | 3;
    state->exec_changed();
  }
  void run(const MicroOp &op) {
    // All bytes: an assignment need not copy the padding.
    std::memcpy(static_cast<void *>(before.get()), state.get(), sizeof(State));
    Inst code[2] = {op, Inst()};
    for (Handler &fn : code[1].fn)
      fn = [](State &, const Inst *) {};
    best_level().enter(*state, code);
  }
  /// Bytes of registers that are other than they were.
  bool changed(u64 offset) const {
    return bytes(*state)[offset] != bytes(*before)[offset];
  }
  static u8 *bytes(State &s) { return reinterpret_cast<u8 *>(&s); }

  const Dispatch dispatch{};
  std::unique_ptr<State> state, before;
  std::mt19937 random{1};
};

bool within(u64 offset, Operand operand, Use use) {
  if (use.file == File::none || !use.written)
    return false;
  u64 begin = u64(operand & ~ROW),
      size = use.registers * (operand & ROW ? LANES * 4 : 4);
  return offset - begin < size;
}

bool runs_alone(const Operation &op) {
  switch (op.form) {
  case Form::valu:
  case Form::vcmp:
  case Form::packed:
  case Form::packed32:
  case Form::mix:
  case Form::salu:
  case Form::saveexec:
    return true;
  default:
    break;
  }
  switch (op.id) {
  case OperationId::v_readfirstlane_b32:
  case OperationId::v_readlane_b32:
  case OperationId::v_writelane_b32:
  case OperationId::v_swap_b32:
  case OperationId::ds_bpermute_b32:
  case OperationId::ds_permute_b32:
  case OperationId::ds_swizzle_b32:
  case OperationId::s_memtime:
  case OperationId::s_get_waveid_in_workgroup:
  case OperationId::s_getreg_b32:
  case OperationId::s_set_gpr_idx_idx:
    return true;
  default:
    return false;
  }
}

TEST(Handlers, WriteNothingButTheirDestinations) {
  Execution execution;
  unsigned tried = 0;
  for (unsigned n = 1; n < OPERATIONS; ++n) {
    const Operation &op = operation(OperationId(n));
    if (!runs_alone(op))
      continue;
    ++tried;
    for (Shape shape : {FULL, ONE, SOME, NONE}) {
      execution.prepare(shape);
      MicroOp inst;
      inst.operation = op.id;
      assign_handlers(inst, best_level());
      inst.uses = op.uses;
      unsigned next_row = 20, next_scalar = 8;
      auto give = [&](Operand &operand, Use use) {
        if (use.file == File::none)
          return;
        bool vector = use.file == File::vector || use.file == File::any;
        operand =
            vector ? vector_operand(next_row) : scalar_operand(next_scalar);
        (vector ? next_row : next_scalar) += 4;
      };
      give(inst.dst, op.uses.dst);
      for (unsigned k = 0; k < 3; ++k)
        give(inst.src[k], op.uses.src[k]);
      give(inst.sdst, op.uses.sdst);
      give(inst.scond, op.uses.scond);
      if (op.tied)
        inst.src[op.sources - 1] =
            op.form == Form::salu ? inst.src[0] : inst.dst;
      execution.run(inst);
      for (u64 at = 0; at < sizeof(State); ++at) {
        if (!execution.changed(at) ||
            (at < offsetof(State, s)) || // SCC and what EXEC looks like
            (at >= offsetof(State, exec_rows) &&
             at < offsetof(State, exec_rows) + sizeof(State::exec_rows)))
          continue;
        if (op.form == Form::saveexec && at - scalar_operand(EXEC) < 8)
          continue;
        if (op.id == OperationId::s_set_gpr_idx_idx &&
            at - scalar_operand(M0) < 4)
          continue;
        ASSERT_TRUE(within(at, inst.dst, op.uses.dst) ||
                    within(at, inst.sdst, op.uses.sdst) ||
                    within(at, inst.src[0], op.uses.src[0]))
            << op.name << " wrote byte " << at << " of the state, shape "
            << shape;
      }
    }
  }
  EXPECT_GT(tried, 500u);
}

// The same twice, but for registers that it does not say it reads: what it
// writes is the same.
TEST(Handlers, ReadNothingButTheirSources) {
  Execution execution;
  for (unsigned n = 1; n < OPERATIONS; ++n) {
    const Operation &op = operation(OperationId(n));
    if (!runs_alone(op) || op.id == OperationId::s_memtime)
      continue;
    for (Shape shape : {FULL, ONE, SOME}) {
      execution.prepare(shape);
      MicroOp inst;
      inst.operation = op.id;
      assign_handlers(inst, best_level());
      unsigned next_row = 20, next_scalar = 8;
      std::vector<bool> kept(sizeof(State), false);
      auto give = [&](Operand &operand, Use use) {
        if (use.file == File::none)
          return;
        bool vector = use.file == File::vector || use.file == File::any;
        operand =
            vector ? vector_operand(next_row) : scalar_operand(next_scalar);
        (vector ? next_row : next_scalar) += 4;
        u64 size = use.registers * (vector ? LANES * 4 : 4);
        std::fill_n(kept.begin() + (operand & ~ROW), size, true);
      };
      give(inst.dst, op.uses.dst);
      for (unsigned k = 0; k < 3; ++k)
        give(inst.src[k], op.uses.src[k]);
      give(inst.sdst, op.uses.sdst);
      give(inst.scond, op.uses.scond);
      std::fill_n(kept.begin() + scalar_operand(VCC), 8, true);
      std::fill_n(kept.begin() + scalar_operand(M0), 16, true); // and EXEC
      auto first = std::make_unique<State>(*execution.state);
      execution.run(inst);
      auto result = std::make_unique<State>(*execution.state);
      // Other values wherever it must not look.
      *execution.state = *first;
      for (u64 at = offsetof(State, s);
           at < offsetof(State, s) + sizeof(State::s); ++at)
        if (!kept[at])
          Execution::bytes(*execution.state)[at] ^= 0x5a;
      for (u64 at = offsetof(State, v); at < sizeof(State); ++at)
        if (!kept[at])
          Execution::bytes(*execution.state)[at] ^= 0x5a;
      execution.run(inst);
      for (u64 at = 0; at < sizeof(State); ++at)
        if (kept[at])
          ASSERT_EQ(Execution::bytes(*execution.state)[at],
                    Execution::bytes(*result)[at])
              << op.name << " byte " << at << " of the state, shape " << shape;
    }
  }
}

} // namespace
} // namespace gpuexec::emulator::amdgpu::test
