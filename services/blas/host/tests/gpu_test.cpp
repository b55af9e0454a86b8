//===-- services/blas/host/tests/gpu_test.cpp - BLAS beside a GPU ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/host/tests/gpu_fixture.h"

using namespace gpuexec::blas;

namespace {

// C = A B, of 2 x 2, by columns and by rows.
TEST_F(GpuTest, WorksOnTheProgramsMemory) {
  open();
  for (uint64_t order : {102, 101}) {
    const double a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};
    memcpy(&numbers[0], a, sizeof a);
    memcpy(&numbers[4], b, sizeof b);
    EXPECT_EQ(call("cblas_dgemm", {order, 111, 111, 2, 2, 2, bits(1), at(0), 2,
                                   at(4), 2, bits(0), at(8), 2}),
              0u);
    const std::vector<double> c(&numbers[8], &numbers[12]);
    if (order == 102)
      EXPECT_THAT(c, testing::ElementsAre(23, 34, 31, 46));
    else
      EXPECT_THAT(c, testing::ElementsAre(19, 22, 43, 50));
  }
  EXPECT_EQ(program.copies, 0u);
}

TEST_F(GpuTest, GivesResults) {
  open();
  EXPECT_EQ(call("cblas_ddot", {4, at(0), 1, at(0), 1}, BLAS_SMALL_OPCODE), 0u);
  double result;
  memcpy(&result, &program.answer[1], sizeof result);
  EXPECT_EQ(result, 4 + 1 + 0 + 1);
  EXPECT_EQ(call("cblas_idamax", {4, at(0), 1}), 0u);
  EXPECT_EQ(program.answer[1], 0u);
  EXPECT_EQ(program.copies, 0u);
}

// The polling thread begins a call of one lane at once, whatever its size.
TEST_F(GpuTest, TheThreadThatPollsDoesACallThatIsAlone) {
  open();
  numbers[0] = 2, numbers[1] = 3;
  for (uint32_t opcode : {BLAS_OPCODE, BLAS_SMALL_OPCODE}) {
    numbers[2] = 0;
    call_lanes({product(0, 1, 2)}, opcode);
    EXPECT_EQ(numbers[2], 6);
  }
  EXPECT_EQ(program.errors, std::vector<uint64_t>(2));
  EXPECT_EQ(program.waited, 0u);
}

// It goes on to poll when the GPU needs longer; the call is not made twice.
TEST_F(GpuTest, AnotherThreadWaitsForALongCall) {
  open();
  setenv("FAKE_CUDA_LOOK_DELAY", "2000", 1);
  numbers[0] = 2;
  for (unsigned calls = 1; calls <= 3; ++calls) {
    EXPECT_EQ(call("cblas_dscal", {1, bits(3), at(0), 1}), 0u);
    EXPECT_EQ(numbers[0], calls == 1 ? 6 : calls == 2 ? 18 : 54);
    EXPECT_EQ(program.waited, calls);
  }
  setenv("FAKE_CUDA_FAIL_ONCE", "cuStreamQuery:2", 1);
  EXPECT_EQ(call("cblas_dscal", {1, bits(3), at(0), 1}), uint64_t(EIO));
  EXPECT_EQ(program.failure,
            "cuBLAS: cblas_dscal failed: cublasStatus_t 0, CUresult 719");
}

// Calls whose end the polling thread cannot foresee: of LAPACK, of the host's
// library, of functions that wait for their result, and of several lanes.
TEST_F(GpuTest, OtherCallsMayWait) {
  open();
  EXPECT_EQ(call("cblas_ddot", {4, at(0), 1, at(0), 1}), 0u);
  EXPECT_EQ(program.waited, 1u);
  EXPECT_EQ(call("cblas_drotg", {at(0), at(1), at(2), at(3)}), 0u);
  EXPECT_EQ(program.waited, 2u);
  call_lanes({product(0, 1, 2), product(0, 1, 3)});
  EXPECT_EQ(program.waited, 3u);
  EXPECT_EQ(call("cblas_dscal", {1, bits(2)}), uint64_t(EINVAL));
  EXPECT_EQ(program.waited, 4u);
}

// What cuBLAS has not is done by the host, on copies.
TEST_F(GpuTest, LeavesTheRestToTheHost) {
  open();
  double *d = &numbers[0];
  d[0] = 3, d[1] = 4;
  EXPECT_EQ(call("cblas_drotg", {at(0), at(1), at(2), at(3)}), 0u);
  EXPECT_EQ(d[0], 5);
  EXPECT_EQ(d[2], 0.6);
  EXPECT_GT(program.copies, 0u);
}

TEST_F(GpuTest, RefusesMemoryThatIsNotThePrograms) {
  open();
  EXPECT_EQ(call("cblas_dscal", {65, bits(2), at(0), 1}), uint64_t(EFAULT));
  EXPECT_EQ(call("cblas_dscal", {1, bits(2), 16, 1}), uint64_t(EFAULT));
  EXPECT_EQ(call("cblas_dscal", {64, bits(2), at(0), 1}), 0u);
  EXPECT_EQ(numbers[63], 2 * (63 % 5 - 2.0));
}

TEST_F(GpuTest, SaysWhatHasFailed) {
  open();
  setenv("FAKE_CUDA_FAIL_ONCE", "cuStreamQuery:1", 1);
  EXPECT_EQ(call("cblas_dscal", {1, bits(2), at(0), 1}), uint64_t(EIO));
  EXPECT_EQ(program.failure,
            "cuBLAS: cblas_dscal failed: cublasStatus_t 0, CUresult 719");
}

// Lanes of a wave whose calls differ in their arrays alone.
TEST_F(GpuTest, DoesCallsOfLanesAsOneBatch) {
  open();
  const int before = batches();
  for (size_t i = 0; i < 16; ++i)
    numbers[i] = double(i);
  std::vector<std::vector<char>> lanes;
  for (size_t i = 0; i < 16; ++i)
    lanes.push_back(product(i, 15 - i, 16 + i));
  call_lanes(lanes);
  EXPECT_EQ(batches() - before, 1);
  EXPECT_EQ(program.errors, std::vector<uint64_t>(16));
  for (size_t i = 0; i < 16; ++i)
    EXPECT_EQ(numbers[16 + i], double(i * (15 - i))) << "lane " << i;
  EXPECT_EQ(program.copies, 0u);
}

// Two kinds of products, a function without batches, one that the host does,
// and requests that are wrong.
TEST_F(GpuTest, DoesDifferentCallsOfLanes) {
  open();
  const int before = batches();
  numbers[0] = 2, numbers[1] = 3, numbers[20] = 8, numbers[30] = 3,
  numbers[31] = 4;
  call_lanes({product(0, 1, 10), product(0, 1, 11, 102, 5),
              request("cblas_dscal", {1, bits(2), at(20), 1}),
              product(0, 0, 12),
              request("cblas_drotg", {at(30), at(31), at(32), at(33)}),
              product(0, 1, 13, 102, 5), product(0, 1000, 14),
              request("cblas_dscal", {1, bits(2)}), product(1, 1, 15)});
  EXPECT_EQ(batches() - before, 2);
  EXPECT_EQ(numbers[10], 6);
  EXPECT_EQ(numbers[11], 30);
  EXPECT_EQ(numbers[12], 4);
  EXPECT_EQ(numbers[13], 30);
  EXPECT_EQ(numbers[15], 9);
  EXPECT_EQ(numbers[20], 16);
  EXPECT_EQ(numbers[30], 5);
  ASSERT_EQ(program.errors.size(), 9u);
  EXPECT_EQ(std::count(program.errors.begin(), program.errors.end(), EFAULT),
            1);
  EXPECT_EQ(std::count(program.errors.begin(), program.errors.end(), EINVAL),
            1);
}

TEST_F(GpuTest, DoesLargeProductsOneByOne) {
  open();
  const int before = batches();
  std::vector<double> large(129 + 129);
  program.begin = reinterpret_cast<uint64_t>(large.data());
  program.end = program.begin + large.size() * sizeof(double);
  const auto address = [&](size_t i) {
    return reinterpret_cast<uint64_t>(&large[i]);
  };
  for (size_t i = 0; i < 129; ++i)
    large[i] = 1;
  std::vector<std::vector<char>> lanes;
  for (size_t i = 0; i < 2; ++i)
    lanes.push_back(request("cblas_dgemm",
                            {102, 111, 111, 1, 1, 129, bits(1), address(0), 1,
                             address(0), 129, bits(0), address(129 + i), 1}));
  call_lanes(lanes);
  EXPECT_EQ(batches(), before);
  EXPECT_EQ(large[129], 129);
  EXPECT_EQ(large[130], 129);
}

// More threads than streams: what waits is gathered.
TEST_F(GpuTest, GathersCallsOfThreads) {
  open();
  constexpr size_t THREADS = 24, CALLS = 200;
  std::vector<uint64_t> wrong(THREADS);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < THREADS; ++t)
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < CALLS; ++i) {
        call_lanes({product(t, (t + i) % THREADS, 32 + t)});
        wrong[t] += numbers[32 + t] != numbers[t] * numbers[(t + i) % THREADS];
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<uint64_t>(THREADS));
  EXPECT_EQ(program.errors.size(), THREADS * CALLS);
}

TEST_F(GpuTest, ABatchThatFailsEndsTheProgram) {
  open();
  setenv("FAKE_CUDA_FAIL_ONCE", "cuStreamQuery:1", 1);
  call_lanes({product(0, 1, 10), product(0, 1, 11)});
  EXPECT_EQ(program.errors, std::vector<uint64_t>(2, EIO));
  EXPECT_EQ(program.failure,
            "cuBLAS: cblas_dgemm failed: cublasStatus_t 0, CUresult 719");
}

TEST_F(GpuTest, IsNotUsedWhenTheUserSaysSo) {
  open("host");
  EXPECT_EQ(call("cblas_dscal", {1, bits(2), at(0), 1}), 0u);
  EXPECT_EQ(program.copies, 2u);
}

} // namespace
