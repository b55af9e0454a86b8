//===-- emulator/amdgpu/tests/forms_test.cpp - Every form and modifier ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every vector instruction in every encoding with each of its modifiers
// (forms.h) is executed by the interpreter. It must give what form_oracle.h
// says, or the decoder must refuse it by name.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/tests/form_oracle.h"
#include "emulator/amdgpu/tests/forms_fixture.h"
#include "emulator/amdgpu/tests/processors.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

namespace gpuexec::emulator::amdgpu::test {
namespace {

const ops::FloatMode FLUSHING = {
    ops::Round::nearest, ops::Round::nearest, 0, 0, false, true};

/// What is wrong after a case; empty: nothing.
std::string difference(const Case &c, const Oracle &oracle, const State &before,
                       const State &after) {
  const Operation &op = *c.info->operation;
  const u64 exec = before.exec();
  for (unsigned l = 0; l < LANES; ++l) {
    const bool on = exec >> l & 1;
    const Outcome o = on ? oracle.lane(l) : Outcome{false, 0, {}};
    if (o.is_nan)
      continue;
    const auto result = [&](const State &s) {
      return s.v[RESULT][l] | u64(s.v[RESULT + 1][l]) << 32;
    };
    u64 expected = result(before);
    if (o.writes && op.form != Form::vcmp)
      expected = oracle.writes_two()
                     ? o.value
                     : (expected & ~u64(0xffffffff)) | u32(o.value);
    if (result(after) != expected)
      return "lane " + std::to_string(l) + " is " +
             llvm::utohexstr(result(after)) + ", expected " +
             llvm::utohexstr(expected);
    const bool bit = oracle.mask(after) >> l & 1;
    // DPP's masks are for vector registers alone, say the guides.
    if ((op.writes_mask || op.form == Form::vcmp) && on == o.writes &&
        bit != (o.bit && *o.bit))
      return "lane " + std::to_string(l) + "'s bit is " + std::to_string(bit);
  }
  for (unsigned row = 0; row < 32; ++row)
    if ((row < RESULT || row > RESULT + 1) &&
        std::memcmp(before.v[row], after.v[row], LANES * 4) != 0)
      return "v" + std::to_string(row) + " has changed";
  return "";
}

TEST_P(Forms, GiveWhatTheirModifiersSay) {
  const Programs programs(all, disassembler->target().generation);
  auto code = Code::create(GetParam(), programs.begin(), programs.end(), {});
  ASSERT_TRUE(bool(code));
  unsigned executed = 0, refused = 0, without_rule = 0, wrong = 0;
  std::map<std::string, std::set<std::string>> refused_by, unruled, failures;
  for (size_t n = 0; n < all.size(); ++n) {
    const Case &c = all[n];
    const Inst *first =
        (*code)->find(programs.begin() + 4 * programs.starts[n]);
    ASSERT_TRUE(first);
    if (const Inst *why = refusal(first)) {
      EXPECT_TRUE(why->kind == MicroOpKind::illegal || // odd registers
                  c.text == static_cast<const char *>(why->data))
          << c.text;
      ++refused;
      refused_by[c.modifier].insert(c.text);
      continue;
    }
    if (!Oracle(c, disassembler->target(), *state, FLUSHING).function()) {
      unruled[c.info->operation->name].insert(c.modifier);
      ++without_rule;
      continue;
    }
    std::string what;
    for (const ops::FloatMode &mode : {ops::DEFAULT_MODE, FLUSHING}) {
      const u64 some = u64(random()) << 32 | random();
      for (const u64 exec : {~u64(0), some | 1, u64(1) << random() % 64}) {
        prepare(*before, exec, mode, n % 64 == 0);
        prepare(*state, exec, mode, false);
        std::memcpy(state->v, before->v, USED_ROWS);
        std::memcpy(state->s, before->s, sizeof(State::s));
        const Oracle oracle(c, disassembler->target(), *before, mode);
        best_level().enter(*state, first);
        if (what.empty())
          what = difference(c, oracle, *before, *state);
      }
    }
    if (!what.empty()) {
      ++wrong;
      auto &some_failures = failures[c.modifier];
      if (some_failures.size() < 6)
        some_failures.insert(c.text + ": " + what);
      continue;
    }
    ++executed;
  }
  std::printf("%s: %zu forms with modifiers, %u executed, %u refused, %u "
              "without a rule, %u wrong\n",
              GetParam(), all.size(), executed, refused, without_rule, wrong);
  EXPECT_GT(executed, all.size() * 9 / 10);
  EXPECT_LT(without_rule, 120u);      // matrices, permutations, M0
  if (std::getenv("FORMS_VERBOSE")) { // says which
    for (auto &[modifier, texts] : refused_by)
      for (auto &text : texts)
        std::printf("refused [%s] %s\n", modifier.c_str(), text.c_str());
    for (auto &[name, modifiers] : unruled)
      std::printf("no rule %s (%zu)\n", name.c_str(), modifiers.size());
  }
  for (auto &[modifier, texts] : failures)
    for (auto &text : texts)
      ADD_FAILURE() << "[" << modifier << "] " << text;
}

GPUEXEC_TEST_ON_EACH_PROCESSOR(Forms);

} // namespace
} // namespace gpuexec::emulator::amdgpu::test
