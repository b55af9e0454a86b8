//===-- emulator/amdgpu/tests/forms_in_tiers_test.cpp - Forms, compiled ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compilers execute all forms with all modifiers (forms.h) as the
// interpreter does, which forms_test.cpp holds against the guides.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/baseline/compiler.h"
#include "emulator/amdgpu/jit/code_memory.h"
#include "emulator/amdgpu/tests/forms_fixture.h"
#include "emulator/amdgpu/tiers/jit_library.h"
#include "emulator/amdgpu/tests/processors.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <deque>

namespace gpuexec::emulator::amdgpu::test {
namespace {

// Programs of many cases, each with a result of its own: the compilers' code
// leaves all registers as the interpreter does.
class FormsInTiers : public Forms {
protected:
  static constexpr size_t LENGTH = 60;
  struct Program {
    std::vector<u32> words;
    std::string texts;
    size_t instructions = 0;
  };
  static bool may_be_compared(const Case &c) {
    return !c.info->cmpx && !c.info->relative; // EXEC, M0
  }
  Program program_of(llvm::ArrayRef<const Case *> cases) const {
    Program p;
    for (const Case *c : cases) {
      Words words = c->words;
      const u32 more = 2 * u32(p.instructions % 20);
      const bool is_long = c->encoding == FormEncoding::vop3 ||
                           c->encoding == FormEncoding::vop3p ||
                           c->encoding == FormEncoding::vop3_dpp16 ||
                           c->encoding == FormEncoding::vop3p_dpp16;
      if (c->info->operation->form != Form::vcmp &&
          c->info->operation->result != Type::none)
        words[0] += is_long ? more : more << 17;
      p.words.insert(p.words.end(), words.begin(), words.begin() + c->size / 4);
      p.texts += c->text + "\n";
      ++p.instructions;
    }
    // LLVM compiles loops alone: this one would go on if SCC were 0.
    const unsigned generation = disassembler->target().generation;
    const u32 branch_if_scc0 = generation >= 11 ? 0xbfa10000 : 0xbf840000;
    p.words.push_back(branch_if_scc0 |
                      (u32(-int(p.words.size()) - 1) & 0xffff));
    p.words.push_back(end_of_program(generation));
    return p;
  }
  /// The compilers' code refers to the result, which therefore stays.
  std::shared_ptr<Code> decoded(const Program &p) {
    const u64 begin = reinterpret_cast<u64>(p.words.data());
    auto made = Code::create(GetParam(), begin, begin + 4 * p.words.size(), {});
    EXPECT_TRUE(bool(made));
    return codes.emplace_back(*made);
  }
  /// Executes the program once.
  void run(Code &code, size_t instructions, State &s) {
    s.code = &code;
    s.code_base = code.begin();
    s.code_size = code.end() - code.begin();
    s.blocks = code.visited_blocks();
    s.budget = i64(instructions) + 100;
    s.inline_caches_epoch = epoch;
    s.stop = Stop::budget;
    best_level().enter(s, code.find(code.begin()));
    EXPECT_EQ(s.stop, Stop::ended);
  }
  void begin_with(State &s, u64 exec) {
    prepare(s, exec, ops::DEFAULT_MODE, false);
    std::memcpy(s.v, before->v, sizeof(State::v));
    std::memcpy(s.s, before->s, sizeof(State::s));
    std::memset(s.slots, 0, sizeof(State::slots));
    s.scc = true;
    s.mask(EXEC) = exec;
    s.exec_changed();
  }
  /// The first difference in registers; empty if there is none.
  static std::string compared(const State &a, const State &b) {
    for (unsigned k = 0; k < SCALARS; ++k)
      if (a.s[k] != b.s[k])
        return "s" + std::to_string(k) + ": " + llvm::utohexstr(a.s[k]) +
               " and " + llvm::utohexstr(b.s[k]);
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned l = 0; l < LANES; ++l)
        if (a.v[row][l] != b.v[row][l])
          return "v" + std::to_string(row) + ", lane " + std::to_string(l) +
                 ": " + llvm::utohexstr(a.v[row][l]) + " and " +
                 llvm::utohexstr(b.v[row][l]);
    return a.scc == b.scc ? "" : "scc";
  }
  std::vector<std::vector<const Case *>>
  chunks(const std::vector<Case> &all) const;
  /// Executes the program once by each Code.
  std::string difference_of(const Program &p, Code &one, Code &two, u64 exec) {
    begin_with(*state, exec);
    begin_with(*other, exec);
    run(one, p.instructions, *state);
    run(two, p.instructions, *other);
    return compared(*state, *other);
  }
  std::string compiled_by_llvm(llvm::ArrayRef<const Case *> cases,
                               jit::Tier tier);
  jit::Result compile(Code &code, jit::Tier tier) {
    jit::Request request;
    request.tier = tier;
    request.head = code.find(code.begin());
    request.code_base = code.begin();
    request.constants = before->constants;
    request.find = [](void *context, u64 pc) {
      return static_cast<Code *>(context)->look_at(pc);
    };
    request.visited = [](void *context, u64 pc) {
      return static_cast<Code *>(context)->visited(pc);
    };
    request.context = &code;
    return exports->compile(jit, request);
  }

  void SetUp() override {
    Forms::SetUp();
    tame = true;
    std::memcpy(static_cast<void *>(other.get()), before.get(), sizeof(State));
    if (exports)
      jit = exports->create();
  }
  void TearDown() override {
    if (jit)
      exports->destroy(jit);
  }

  const jit::Exports *exports = jit::open_jit_library();
  jit::Jit *jit = nullptr;
  jit::CodeMemory memory;
  const std::atomic<u64> epoch = 1;
  std::unique_ptr<State> other = std::make_unique<State>();
  std::deque<Program> programs; // the machine code
  std::vector<std::shared_ptr<Code>> codes;
  unsigned with_code = 0, left_to_interpreter = 0;
};

/// The forms that may be compared and are not refused, LENGTH at a time.
std::vector<std::vector<const Case *>>
FormsInTiers::chunks(const std::vector<Case> &all) const {
  const Programs alone(all, disassembler->target().generation);
  auto code = Code::create(GetParam(), alone.begin(), alone.end(), {});
  std::vector<std::vector<const Case *>> found(1);
  for (size_t n = 0; n < all.size() && code; ++n) {
    if (!may_be_compared(all[n]) ||
        refusal((*code)->find(alone.begin() + 4 * alone.starts[n])))
      continue;
    if (found.back().size() == LENGTH)
      found.emplace_back();
    found.back().push_back(&all[n]);
  }
  return found;
}

TEST_P(FormsInTiers, StencilsLeaveTheSameRegisters) {
  baseline::Compiler compiler;
  ASSERT_TRUE(compiler.usable());
  for (const auto &cases : chunks(all)) {
    const Program &p = programs.emplace_back(program_of(cases));
    prepare(*before, 1, ops::DEFAULT_MODE, true);
    for (const u64 exec : {u64(1), ~u64(0), u64(0x123456789abcdef1)}) {
      const auto plain = decoded(p), stencils = decoded(p);
      for (unsigned round = 0; round < 2; ++round) { // visited, then compiled
        if (round)
          compiler.compile(*stencils, stencils->find(stencils->begin()),
                           exec == 1 ? baseline::Waves::of_one_lane
                                     : baseline::Waves::of_many_lanes,
                           &epoch, 10000);
        const std::string what = difference_of(p, *plain, *stencils, exec);
        ASSERT_EQ(what, "")
            << "exec " << exec << ", round " << round << ", " << p.texts;
      }
    }
  }
  EXPECT_GT(programs.size(), 80u);
}

/// What is other after LLVM's code for the cases; empty: nothing. Where LLVM
/// leaves the program to the interpreter, parts of it are compiled.
std::string FormsInTiers::compiled_by_llvm(llvm::ArrayRef<const Case *> cases,
                                           jit::Tier tier) {
  const Program &p = programs.emplace_back(program_of(cases));
  const auto plain = decoded(p), compiled = decoded(p);
  const std::string before_it = difference_of(p, *plain, *compiled, 1);
  if (!before_it.empty())
    return before_it;
  const jit::Result result = compile(*compiled, tier);
  if (result.code.bytes.empty()) {
    if (cases.size() <= 4) {
      left_to_interpreter += cases.size();
      return "";
    }
    const size_t half = cases.size() / 2;
    const std::string what = compiled_by_llvm(cases.take_front(half), tier);
    return what.empty() ? compiled_by_llvm(cases.drop_front(half), tier) : what;
  }
  with_code += cases.size();
  const char *placed = memory.place(result.code, &epoch);
  if (!placed)
    return "no memory for code";
  for (size_t k = 0; k < result.entries.size(); ++k)
    const_cast<Inst *>(result.entries[k].inst)->fn[result.entries[k].shape] =
        reinterpret_cast<Handler>(
            reinterpret_cast<u64>(placed + result.code.handlers[k]));
  const std::string what = difference_of(p, *plain, *compiled, 1);
  return what.empty() ? what : what + " after\n" + p.texts;
}

TEST_P(FormsInTiers, LlvmLeavesTheSameRegisters) {
  ASSERT_TRUE(exports);
  unsigned number = 0;
  for (const auto &cases : chunks(all)) {
    prepare(*before, 1, ops::DEFAULT_MODE, true);
    ASSERT_EQ(compiled_by_llvm(cases, number++ % 16 ? jit::Tier::quick
                                                    : jit::Tier::optimised),
              "");
  }
  std::printf("%s: %u forms with modifiers have code of LLVM, %u do not\n",
              GetParam(), with_code, left_to_interpreter);
  EXPECT_GT(with_code, 1000u);
}

GPUEXEC_TEST_ON_EACH_PROCESSOR(FormsInTiers);

} // namespace
} // namespace gpuexec::emulator::amdgpu::test
