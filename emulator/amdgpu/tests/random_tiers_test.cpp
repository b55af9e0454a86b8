// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What GPUEXEC_EMULATOR_JIT=random decides. What the code computes when tiers
// change all the time is compared with the host's in test/differential.
#include "emulator/amdgpu/tiers/random_tiers.h"

#include "emulator/amdgpu/decode/state.h"
#include "emulator/amdgpu/interpret/level.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

using namespace gpuexec::emulator;
using namespace gpuexec::emulator::amdgpu;
using namespace gpuexec::emulator::amdgpu::jit;
using Executor = RandomTiers::Executor;

namespace {

RandomTiers::Mode with_seed(u64 seed) {
  return {.seed = seed, .is_given = true, .verbose = false};
}

TEST(RandomTiers, ModesOfTheVariable) {
  const auto plain = RandomTiers::parse("random"),
             seeded = RandomTiers::parse("random:17"),
             both = RandomTiers::parse("random:18446744073709551615,verbose");
  ASSERT_TRUE(plain && seeded && both);
  EXPECT_FALSE(plain->is_given);
  EXPECT_FALSE(plain->verbose);
  EXPECT_TRUE(seeded->is_given);
  EXPECT_EQ(seeded->seed, 17u);
  EXPECT_EQ(both->seed, ~u64(0));
  EXPECT_TRUE(both->verbose);
  EXPECT_TRUE(RandomTiers::parse("random,verbose")->verbose);
  for (const char *other :
       {"", "0", "eager", "verbose", "random:", "random:x", "random:-1",
        "random:18446744073709551616", "random17", "random:1,loud"})
    EXPECT_FALSE(RandomTiers::parse(other)) << other;
}

TEST(RandomTiers, DrawsAnotherSeedEachTime) {
  std::set<u64> seeds;
  for (unsigned k = 0; k < 8; ++k)
    seeds.insert(RandomTiers::parse("random")->seed);
  EXPECT_GT(seeds.size(), 1u);
}

/// The decisions at the first samples of two heads, as text.
std::string decisions(RandomTiers &tiers, const Inst *heads, bool other_first) {
  std::string text[2];
  for (unsigned k = 0; k < 100; ++k)
    for (bool second : {other_first, !other_first}) {
      const auto choice = tiers.choose(heads + second);
      text[second] += RandomTiers::name_of(choice.executor);
      text[second] += " " + std::to_string(choice.most) +
                      (choice.only_warm ? " warm\n" : "\n");
    }
  return text[0] + text[1];
}

TEST(RandomTiers, ASeedRepeatsDecisionsWhateverTheOrderOfHeads) {
  Inst heads[2];
  heads[1].pc = 64;
  RandomTiers one(with_seed(1)), again(with_seed(1)), two(with_seed(2));
  const std::string first = decisions(one, heads, false);
  EXPECT_EQ(first, decisions(again, heads, true));
  EXPECT_NE(first, decisions(two, heads, false));
  for (const char *executor :
       {"interpreter", "baseline", "quick", "optimised", "kept"})
    EXPECT_NE(first.find(executor), std::string::npos) << executor;
}

TEST(RandomTiers, SlicesOfAllLengths) {
  const auto state = std::make_unique<State>();
  Block block;
  state->block = &block;
  RandomTiers tiers(with_seed(3)), again(with_seed(3));
  std::set<i64> lengths, others;
  for (u64 number = 0; number < 1000; ++number) {
    const i64 length = tiers.slice(*state, number);
    EXPECT_EQ(length, again.slice(*state, number)) << number;
    EXPECT_GE(length, 1) << number;
    EXPECT_LE(length, 4096) << number;
    lengths.insert(length);
    block.id[0] = 1;
    others.insert(tiers.slice(*state, number));
    block.id[0] = 0;
  }
  EXPECT_TRUE(lengths.count(1));
  EXPECT_GT(*lengths.rbegin(), 2048);
  EXPECT_NE(lengths, others) << "blocks have slices of their own";
}

TEST(RandomTiers, LimitsLlvm) {
  RandomTiers tiers(with_seed(4));
  EXPECT_TRUE(tiers.may_compile());
  unsigned regions = 0;
  for (; tiers.may_compile() && regions < 1000; ++regions)
    tiers.compiled(Tier::optimised, 1000);
  EXPECT_GE(regions, 10u);
  EXPECT_LE(regions, 100u) << "a second of LLVM's time";
  Inst head;
  unsigned samples = 0;
  for (; !tiers.may_compile() && samples < 1000000; ++samples)
    tiers.choose(&head);
  EXPECT_GT(samples, 1u) << "then more, now and then";
  EXPECT_TRUE(tiers.may_compile());
}

// s_mov_b32 s0, 1; s_mov_b32 s1, s0; s_endpgm
alignas(4) const u32 PROGRAM[] = {0xbe800081, 0xbe810000, 0xbf810000};

void compiled_code(State &, const Inst *) {}
void other_code(State &, const Inst *) {}

TEST(RandomTiers, GivesABlockToAllThatCanExecuteIt) {
  const u64 begin = reinterpret_cast<u64>(PROGRAM);
  auto code = Code::create("gfx942", begin, begin + sizeof(PROGRAM), {});
  ASSERT_TRUE(bool(code));
  const Inst *head = (*code)->find(begin);
  const Handler interpreter = head->fn[ONE], inside = head[1].fn[ONE],
                without = head->fn[NONE];
  RandomTiers tiers(with_seed(5));
  tiers.add(**code, {head, ONE}, Executor::baseline, compiled_code);
  tiers.add(**code, {head, ONE}, Executor::optimised, other_code);
  tiers.add(**code, {head + 1, ONE}, Executor::optimised, other_code);
  std::set<Handler> at_head, behind;
  for (unsigned k = 0; k < 200; ++k) {
    const RandomTiers::Choice choice = tiers.choose(head);
    tiers.give(head, choice);
    EXPECT_EQ(head->fn[ONE],
              choice.executor == Executor::baseline    ? compiled_code
              : choice.executor == Executor::optimised ? other_code
                                                       : interpreter)
        << "sample " << k;
    at_head.insert(head->fn[ONE]);
    behind.insert(head[1].fn[ONE]);
  }
  EXPECT_EQ(at_head,
            (std::set<Handler>{interpreter, compiled_code, other_code}));
  EXPECT_EQ(behind, (std::set<Handler>{inside, other_code}));
  EXPECT_EQ(head->fn[NONE], without) << "no code was added for no lane";
}

} // namespace
