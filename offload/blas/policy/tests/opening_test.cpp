//===-- offload/blas/policy/tests/opening_test.cpp - Worth opening? -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"

extern "C" {
#include "offload/blas/policy/opening.h"
}

TEST(Opening, GainsOfKnownAndUnknownCallsCount) {
  run_gains gains = {};
  gains_add(&gains, 0.5, 0.1);
  gains_add(&gains, 0.5, 0.9); // the processor is faster
  EXPECT_EQ(gains_worth(&gains, 1), 0);
  gains_add(&gains, 0.7, -1); // nobody knows
  EXPECT_DOUBLE_EQ(gains_worth(&gains, 1), 1.1);
}

TEST(Opening, NothingIsReadForAFewMilliseconds) {
  const run_gains few = {.candidate = 0.01}, more = {.candidate = 0.02};
  EXPECT_FALSE(gains_are_noticeable(&few));
  EXPECT_TRUE(gains_are_noticeable(&more));
}

TEST(Opening, ARunLosesThreePercentAtMost) {
  EXPECT_FALSE(is_long_enough(10, 0.5, 0));
  EXPECT_TRUE(is_long_enough(17, 0.5, 0));
  EXPECT_TRUE(is_long_enough(1, 0.5, 1)) << "the program has gained before";
}

TEST(Opening, OneCallMayBeWorthIt) {
  EXPECT_DOUBLE_EQ(saved_by_call(3, 1, 1), 2);
  EXPECT_EQ(saved_by_call(1.5, 1, 1), 0);
  EXPECT_FALSE(can_save(9e9, 1)) << "any processor does it in a second";
  EXPECT_TRUE(can_save(1e10, 1));
  EXPECT_DOUBLE_EQ(wait_for_opening(0.3), 0.3);
  EXPECT_DOUBLE_EQ(wait_for_opening(7), 1) << "a driver may take long";
}

TEST(Opening, CallsWhoseMatrixIsInCachesDoNotCount) {
  EXPECT_TRUE(counts_for_opening(1e7, 0));
  EXPECT_FALSE(counts_for_opening(1e7, 1));
  EXPECT_TRUE(counts_for_opening(2e7, 1));
}

TEST(Record, PromisesGainUntilTheRunsShowThatThereIsNone) {
  run_record record = {.gain = 2};
  EXPECT_TRUE(record_promises_gain(&record, 1));
  record.without = 10;
  record.with = 9.8f; // not clearly shorter
  EXPECT_FALSE(record_promises_gain(&record, 1));
  record.with = 9;
  EXPECT_TRUE(record_promises_gain(&record, 1));
  record.gain = 0.5;
  EXPECT_FALSE(record_promises_gain(&record, 1));
}

TEST(Record, KeepsRunsWithAndWithoutADevice) {
  run_record record = {};
  record_run(&record, 3, 10, 0);
  EXPECT_FLOAT_EQ(record.without, 10);
  record_run(&record, 4, 5, 1);
  EXPECT_FLOAT_EQ(record.with, 5.2f) << "with the end of the process";
  record_run(&record, 1, 0, 1); // with other arguments
  EXPECT_FLOAT_EQ(record.with, 5.2f);
  EXPECT_FLOAT_EQ(record.gain, 1);
}

TEST(Record, TheGainOfARun) {
  const run_gains gains = {.candidate = 5, .gain = 2, .unknown = 1};
  EXPECT_DOUBLE_EQ(gain_of_run(RUN_WITHOUT_DEVICE, &gains, 0), 3);
  EXPECT_DOUBLE_EQ(gain_of_run(RUN_WITH_DEVICE, &gains, -4), 6);
  EXPECT_EQ(gain_of_run(RUN_WITH_DEVICE, &gains, 4), 0);
  EXPECT_EQ(gain_of_run(DEVICE_WAS_NO_GAIN, &gains, -4), 0);
}

TEST(Governor, GivesUpBeyondThreePercentAndFiftyMilliseconds) {
  EXPECT_FALSE(costs_too_much(0.04, 0.1));
  EXPECT_FALSE(costs_too_much(0.06, 10));
  EXPECT_TRUE(costs_too_much(0.06, 1));
  EXPECT_FALSE(costs_too_much(-3, 1)) << "it has won";
}

TEST(Measuring, BeginsWhenTheProcessorHasSpentAQuarterOfTheWorth) {
  solver_facts facts = {.spent = 0.2, .known = 0, .is_kept = 1, .run = 1};
  EXPECT_EQ(decide_measuring(&facts, 1), NOT_YET);
  facts.spent = 0.25;
  EXPECT_EQ(decide_measuring(&facts, 1), MEASURE);
  facts.known = 0.5;
  EXPECT_EQ(decide_measuring(&facts, 1), IS_MEASURED);
}

TEST(Measuring, IsTriedAgainInLongRunsAlone) {
  solver_facts cut_off = {.spent = 1, .known = 0.25, .is_kept = 1, .run = 29};
  EXPECT_EQ(decide_measuring(&cut_off, 1), NOT_YET);
  cut_off.run = 30;
  EXPECT_EQ(decide_measuring(&cut_off, 1), MEASURE);
  solver_facts not_kept = {.spent = 1, .known = 0, .is_kept = 0, .run = 5};
  EXPECT_EQ(decide_measuring(&not_kept, 1), NOT_YET);
}
