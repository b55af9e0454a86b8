//===-- offload/blas/policy/tests/model_test.cpp - Guesses about LAPACK ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is expected of a size of a function of LAPACK that was not seen must not
// send a call to the GPU by mistake.
//===----------------------------------------------------------------------===//
#include "gtest/gtest.h"
#include <memory>

extern "C" {
#include "offload/blas/policy/model.h"
}

namespace {

double power(int exponent) { return static_cast<double>(1ull << exponent); }

struct ModelTest : testing::Test {
  double gpu(double work) {
    return model_compute(model.get(), WHERE_GPU, dgesvd, work);
  }
  double cpu(double work) {
    return model_compute(model.get(), WHERE_CPU, dgesvd, work);
  }
  std::unique_ptr<offload_model> model = std::make_unique<offload_model>();
  const unsigned dgesvd = offload_solver(GESVD, 'd');
};

TEST_F(ModelTest, productsSayNothingOfAFactorisation) {
  model_limit(model.get(), WHERE_GPU, 0, 1e9, 0.001);
  model_learn(model.get(), WHERE_CPU, 0, 1e9, 0.001);
  EXPECT_LT(gpu(1e9), 0);
  EXPECT_LT(cpu(1e9), 0);
}

TEST_F(ModelTest, oneFactorisationSaysNothingOfAnother) {
  model_limit(model.get(), WHERE_GPU, offload_solver(GETRF, 'd'), 1e9, 0.001);
  model_limit(model.get(), WHERE_GPU, offload_solver(GESVD, 's'), 1e9, 0.001);
  model_limit(model.get(), WHERE_GPU, offload_solver_variant(dgesvd), 1e9,
              0.001);
  EXPECT_LT(gpu(1e9), 0);
}

TEST_F(ModelTest, aFactorisationSaysNothingOfProducts) {
  model_limit(model.get(), WHERE_GPU, dgesvd, 1e9, 5);
  EXPECT_LT(model_compute(model.get(), WHERE_GPU, 0, 1e9), 0);
}

TEST_F(ModelTest, largerOnTheGpuHasTheRateOfTheNextSmaller) {
  model_limit(model.get(), WHERE_GPU, dgesvd, power(28), 1);
  model_limit(model.get(), WHERE_GPU, dgesvd, power(34), 4);
  EXPECT_FLOAT_EQ(gpu(power(28)), 1);
  EXPECT_FLOAT_EQ(gpu(power(33)), 32); // not half of what 2^34 takes
  EXPECT_FLOAT_EQ(gpu(power(36)), 16);
}

TEST_F(ModelTest, smallerOnTheGpuTakesAsLongAsTheSmallest) {
  model_limit(model.get(), WHERE_GPU, dgesvd, power(28), 1);
  EXPECT_FLOAT_EQ(gpu(power(25)), 1);
}

TEST_F(ModelTest, theProcessorMayBeFasterAtOtherSizes) {
  model_learn(model.get(), WHERE_CPU, dgesvd, power(28), 1);
  EXPECT_FLOAT_EQ(cpu(power(29)), 2);
  EXPECT_FLOAT_EQ(cpu(power(27)), 0.5);
  EXPECT_FLOAT_EQ(cpu(power(32)), 4);
}

TEST_F(ModelTest, whatWasNotMeasuredToTheEndIsThoughtToBeSlow) {
  EXPECT_EQ(model_most_known(model.get(), WHERE_GPU, dgesvd), 0);
  model_expect(model.get(), WHERE_GPU, dgesvd, power(28), 1);
  EXPECT_FLOAT_EQ(gpu(power(30)), 4);
  EXPECT_EQ(model_most_known(model.get(), WHERE_GPU, dgesvd), 0.25);
  model_limit(model.get(), WHERE_GPU, dgesvd, power(28), 2); // slower still
  EXPECT_FLOAT_EQ(gpu(power(30)), 8);
  EXPECT_EQ(model_most_known(model.get(), WHERE_GPU, dgesvd), 0.5);
  model_expect(model.get(), WHERE_GPU, dgesvd, power(28), 1);
  EXPECT_FLOAT_EQ(gpu(power(30)), 8);
}

TEST_F(ModelTest, ratesOfAnotherGpuAreForgotten) {
  model_be_of(model.get(), "one");
  model_limit(model.get(), WHERE_GPU, dgesvd, 1e9, 1);
  model_learn(model.get(), WHERE_CPU, dgesvd, 1e9, 2);
  model->upload = 1;
  model_be_of(model.get(), "one");
  EXPECT_FLOAT_EQ(gpu(1e9), 1);
  model_be_of(model.get(), "another");
  EXPECT_LT(gpu(1e9), 0);
  EXPECT_EQ(model->upload, 0);
  EXPECT_FLOAT_EQ(cpu(1e9), 2);
}

TEST_F(ModelTest, aProcessWithoutADeviceKeepsWhatOthersHaveMeasured) {
  auto kept = std::make_unique<offload_model>();
  model_be_of(kept.get(), "one");
  model_limit(kept.get(), WHERE_GPU, dgesvd, 1e9, 1);
  model_learn(kept.get(), WHERE_CPU, 0, 1e9, 3);
  kept->upload = 5;
  model_learn(model.get(), WHERE_CPU, dgesvd, 1e9, 2);
  model_take_gpu(model.get(), kept.get());
  model_add(model.get(), kept.get());
  EXPECT_FLOAT_EQ(gpu(1e9), 1);
  EXPECT_FLOAT_EQ(cpu(1e9), 2);
  EXPECT_EQ(model->upload, 5);
  EXPECT_EQ(model_known(model.get(), WHERE_CPU, 0, 1e9), 1);
}

TEST_F(ModelTest, whatThisProcessHasMeasuredStays) {
  auto kept = std::make_unique<offload_model>();
  for (offload_model *m : {kept.get(), model.get()})
    model_be_of(m, "one");
  model_limit(kept.get(), WHERE_GPU, dgesvd, 1e9, 1);
  model_limit(kept.get(), WHERE_GPU, dgesvd, 1e6, 0.01);
  model_limit(model.get(), WHERE_GPU, dgesvd, 1e9, 7);
  model_add(model.get(), kept.get());
  EXPECT_FLOAT_EQ(gpu(1e9), 7);
  EXPECT_FLOAT_EQ(gpu(1e6), 0.01f);
  model_be_of(model.get(), "another");
  model_be_of(kept.get(), model->gpu);
  model_add(model.get(), kept.get());
  EXPECT_LT(gpu(1e9), 0);
}

TEST(Names, functionsAndVariantsAreFoundByTheirNumbers) {
  const unsigned zheevd = offload_solver(SYEVD, 'z');
  EXPECT_STREQ(offload_function_name(zheevd), "zheevd");
  EXPECT_STREQ(offload_function_name(offload_solver_variant(zheevd)),
               "zheevd(values)");
  EXPECT_EQ(offload_kind_of(offload_solver_variant(zheevd)), SYEVD);
  EXPECT_EQ(offload_type_of(offload_solver_variant(zheevd)), 'z');
  EXPECT_TRUE(offload_is_variant(offload_solver_variant(zheevd)));
  EXPECT_FALSE(offload_is_variant(zheevd));
  EXPECT_LT(offload_solver_variant(offload_solver(GESDD, 'z')),
            offload_function_count());
}

} // namespace
