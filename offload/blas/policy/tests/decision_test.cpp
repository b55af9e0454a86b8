//===-- offload/blas/policy/tests/decision_test.cpp - Processor or GPU? ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include <memory>

extern "C" {
#include "offload/blas/policy/decision.h"
}

namespace {

constexpr offload_settings BY_TIME = {.worth = 1};
constexpr offload_settings BY_SIZE = {.least_work = 1e6, .worth = 1};

/// Both sides are well known, nothing is tried, and the code is there.
call_facts known_facts() {
  return {.known = {10, 10}, .calls = 1, .may_cost = 0, .is_loaded = 1};
}

call_costs costs_of(double cpu, double gpu) {
  return {.cpu = cpu, .gpu = gpu, .gpu_if_there = gpu};
}

call_place place(const offload_settings &told, double cpu, double gpu,
                 const call_facts &facts) {
  const call_costs costs = costs_of(cpu, gpu);
  return decide(&told, &costs, &facts).place;
}

} // namespace

TEST(Decision, TheGpuMustBeFasterByATenth) {
  EXPECT_EQ(place(BY_TIME, 1.0, 0.89, known_facts()), ON_GPU);
  EXPECT_EQ(place(BY_TIME, 1.0, 0.91, known_facts()), ON_CPU);
}

TEST(Decision, TheProcessorShowsFirstWhatItCanDo) {
  EXPECT_EQ(place(BY_TIME, -1, 0.001, known_facts()), ON_CPU);
}

TEST(Decision, ASideThatWasNeverSeenIsTriedIfTheRunCanBearIt) {
  call_facts facts = known_facts();
  facts.known[WHERE_GPU] = 0.5; // measured beforehand alone
  facts.may_cost = 0.02;
  EXPECT_EQ(place(BY_TIME, 0.01, 0.02, facts), ON_GPU);
  EXPECT_EQ(place(BY_TIME, 0.01, 0.05, facts), ON_CPU) << "five times slower";
  EXPECT_EQ(place(BY_TIME, 0.10, 0.13, facts), ON_CPU) << "costs 0.03 s";
  facts.known[WHERE_CPU] = 0;
  EXPECT_EQ(place(BY_TIME, 0.02, 0.01, facts), ON_CPU) << "it was never seen";
}

TEST(Decision, WhatATrialCostsIsSaid) {
  call_facts facts = known_facts();
  facts.known[WHERE_GPU] = 0;
  facts.may_cost = 1;
  const call_costs slower = costs_of(0.25, 0.5), faster = costs_of(0.5, 0.25);
  EXPECT_DOUBLE_EQ(decide(&BY_TIME, &slower, &facts).tries, 0.25);
  EXPECT_DOUBLE_EQ(decide(&BY_TIME, &faster, &facts).tries, 0);
}

TEST(Decision, EverySixtyFourthCallIsATrial) {
  call_facts facts = known_facts();
  facts.may_cost = 1;
  facts.calls = 62;
  EXPECT_EQ(place(BY_TIME, 0.5, 0.1, facts), ON_GPU);
  facts.calls = 63;
  EXPECT_EQ(place(BY_TIME, 0.5, 0.1, facts), ON_CPU);
  EXPECT_EQ(place(BY_TIME, 0.1, 0.15, facts), ON_GPU);
}

TEST(Decision, TrialsCostHalfAPercentOfTheRun) {
  EXPECT_DOUBLE_EQ(left_for_trials(100, 0.2), 0.3);
  EXPECT_LT(left_for_trials(100, 0.6), 0);
}

TEST(Decision, CodeIsLoadedFirst) {
  call_facts facts = known_facts();
  facts.is_loaded = 0;
  EXPECT_EQ(place(BY_TIME, 0.2, 0.1, facts), AFTER_LOADING);
  EXPECT_EQ(place(BY_TIME, 0.1, 0.2, facts), ON_CPU) << "not worth loading";
  EXPECT_EQ(place(BY_TIME, 0.7, 0.1, facts), ON_GPU) << "it saves much";
  facts.known[WHERE_GPU] = 0;
  EXPECT_EQ(place(BY_TIME, 0.1, 0.2, facts), AFTER_LOADING) << "never seen";
}

TEST(Decision, SizesDecideWithoutTimes) {
  call_facts facts = {};
  EXPECT_EQ(place(BY_SIZE, -1, 9, facts), ON_GPU);
  facts.is_level_2 = 1;
  EXPECT_EQ(place(BY_SIZE, -1, 9, facts), ON_CPU) << "its matrix is copied";
  facts.matrix_stays = 1;
  EXPECT_EQ(place(BY_SIZE, -1, 9, facts), ON_GPU);
  offload_settings repeats = BY_SIZE;
  repeats.is_deterministic = 1;
  EXPECT_EQ(place(repeats, -1, 9, facts), ON_CPU)
      << "what stays there depends on what ran before";
}

TEST(Decision, HopelessCallsAreNotLookedUp) {
  call_facts facts = known_facts();
  EXPECT_TRUE(is_hopeless(-1, 0.1, &facts));
  EXPECT_TRUE(is_hopeless(0.1, -1, &facts));
  EXPECT_TRUE(is_hopeless(0.1, 0.095, &facts));
  EXPECT_FALSE(is_hopeless(0.1, 0.08, &facts));
  facts.calls = 63;
  EXPECT_FALSE(is_hopeless(0.1, 0.3, &facts)) << "its turn for a trial";
  EXPECT_TRUE(is_hopeless(0.1, 0.5, &facts)) << "five times slower";
}

TEST(Decision, LeastWork) {
  EXPECT_EQ(least_work(&BY_TIME, 0), 3e7);
  EXPECT_EQ(least_work(&BY_TIME, 1), 4e6);
  EXPECT_EQ(least_work(&BY_SIZE, 0), 1e6);
  EXPECT_EQ(least_work(&BY_SIZE, 1), 1e6);
}

namespace {

/// Of function 0: 1 s on the processor, 0.1 s on the GPU; a byte takes 1 s.
struct Costs : testing::Test {
  Costs() {
    model_learn(known.get(), WHERE_CPU, 0, 1e9, 1);
    model_learn(known.get(), WHERE_GPU, 0, 1e9, 0.1);
    known->upload = known->download = 1;
  }
  std::unique_ptr<offload_model> known = std::make_unique<offload_model>();
  const rated_call call = {{0, 0}, 1e9};
};

} // namespace

TEST_F(Costs, CopiesThatAreNeededCount) {
  const operand_cost operands[] = {
      {.size = 10, .upload = 10, .reads = 1},
      {.size = 5, .upload = 0, .reads = 1}, // is there
      {.size = 3, .upload = 3, .reads = 1, .writes = 1}};
  const call_costs costs = estimate_costs(known.get(), &call, operands, 3);
  EXPECT_FLOAT_EQ(costs.cpu, 1);
  EXPECT_FLOAT_EQ(costs.gpu, 0.1 + 10 + 3 + 3);
  EXPECT_FLOAT_EQ(costs.gpu_if_there, 0.1 + 3 + 3);
  EXPECT_EQ(costs.there, 5u);
}

TEST_F(Costs, AnArrayThatStaysSharesItsCopy) {
  const operand_cost stays = {
      .size = 10, .upload = 10, .stable = 4, .reads = 1};
  EXPECT_FLOAT_EQ(estimate_costs(known.get(), &call, &stays, 1).gpu, 0.1 + 2);
}

TEST_F(Costs, ACallTakesAtLeastTheLatency) {
  known->latency = 0.5;
  EXPECT_FLOAT_EQ(estimate_costs(known.get(), &call, nullptr, 0).gpu, 0.5);
  EXPECT_FLOAT_EQ(least_on_gpu(known.get(), &call, 2), 0.5 + 2);
}

TEST_F(Costs, WithoutTheSpeedOfCopiesNothingIsKnown) {
  known->upload = 0;
  EXPECT_LT(least_on_gpu(known.get(), &call, 2), 0);
}
