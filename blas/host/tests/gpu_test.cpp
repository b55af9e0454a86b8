//===-- blas/host/tests/gpu_test.cpp - The service beside a GPU -----------===//
// Requests to the service with stand-ins for NVIDIA's driver and for cuBLAS,
// whose memory is the host's.
//===----------------------------------------------------------------------===//
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

extern "C" {
#include "blas/cuda/cublas.h"
#include "blas/request.h"
#include "rpc/include/gpuexec_service.h"
}

namespace {

/// What the program's memory and the service's answers are.
struct Program {
  uint64_t begin = 0, end = 0;  ///< of what it may use
  unsigned copies = 0;          ///< from and to it
  std::vector<uint64_t> answer; ///< of the last lane
  std::vector<uint64_t> errors; ///< of each lane
  std::string failure;
} program;

std::mutex replies;

int reply(gpuexec_call *, uint32_t, uint32_t, const void *data, uint64_t size) {
  std::lock_guard guard(replies);
  program.answer.resize(size / sizeof(uint64_t));
  memcpy(program.answer.data(), data, size);
  program.errors.push_back(program.answer[0]);
  return 0;
}

bool holds(uint64_t address, uint64_t size) {
  return address >= program.begin && address + size <= program.end;
}

int read_device(gpuexec_call *, void *to, uint64_t address, uint64_t size) {
  ++program.copies;
  if (!holds(address, size))
    return EFAULT;
  memcpy(to, reinterpret_cast<const void *>(address), size);
  return 0;
}

int write_device(gpuexec_call *, uint64_t address, const void *from,
                 uint64_t size) {
  ++program.copies;
  if (!holds(address, size))
    return EFAULT;
  memcpy(reinterpret_cast<void *>(address), from, size);
  return 0;
}

void fail(gpuexec_call *, const char *message) { program.failure = message; }

void *view_device(gpuexec_call *, uint64_t, uint64_t, int) { return nullptr; }

int check_device(gpuexec_call *, uint64_t address, uint64_t size, int) {
  return holds(address, size) ? 0 : EFAULT;
}

uint64_t allocate_device(gpuexec_call *, uint64_t) { return 0; }
void free_device(gpuexec_call *, uint64_t) {}

uint64_t bits(double number) {
  uint64_t word;
  memcpy(&word, &number, sizeof word);
  return word;
}

struct GpuTest : testing::Test {
  GpuTest() {
    // The service opens libraries of these names: those that are there already.
    EXPECT_NE(dlopen(CUDA_DOUBLE, RTLD_NOW), nullptr) << dlerror();
    EXPECT_NE(dlopen(CUBLAS_DOUBLE, RTLD_NOW), nullptr) << dlerror();
    program = {};
    program.begin = reinterpret_cast<uint64_t>(numbers.data());
    program.end = program.begin + numbers.size() * sizeof(double);
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = double(i % 5) - 2;
  }
  ~GpuTest() override {
    unsetenv("CUDA_DOUBLE_FAIL");
    if (state)
      service->close(state);
  }

  void open(const char *argument = "") {
    char error[256] = "";
    ASSERT_EQ(service->open(&host, argument, &state, error, sizeof error), 0)
        << error;
  }

  /// The bytes of a lane's request.
  static std::vector<char> request(const char *function,
                                   const std::vector<uint64_t> &words) {
    uint32_t number = 0;
    while (strcmp(cublas_function_name(number), function) != 0)
      ++number;
    const blas_header header = {number, uint32_t(words.size())};
    std::vector<char> bytes(sizeof header + words.size() * 8);
    memcpy(bytes.data(), &header, sizeof header);
    memcpy(bytes.data() + sizeof header, words.data(), words.size() * 8);
    return bytes;
  }

  /// What lanes of a wave ask together.
  void call_lanes(const std::vector<std::vector<char>> &requests,
                  uint32_t opcode = BLAS_OPCODE) {
    gpuexec_bytes inputs[GPUEXEC_MAX_LANES] = {};
    gpuexec_call call = {};
    call.struct_size = sizeof call;
    call.opcode = opcode;
    for (size_t lane = 0; lane < requests.size(); ++lane) {
      inputs[lane] = {requests[lane].data(), requests[lane].size()};
      call.lane_mask |= uint64_t(1) << lane;
    }
    call.input_count = call.output_count = 1;
    call.inputs = inputs;
    for (uint32_t i = 0; i < service->operation_count; ++i)
      if (service->operations[i].opcode == opcode)
        EXPECT_EQ(service->operations[i].serve(state, &host, &call), 0);
  }

  /// The error that the program gets.
  uint64_t call(const char *function, const std::vector<uint64_t> &words,
                uint32_t opcode = BLAS_OPCODE) {
    call_lanes({request(function, words)}, opcode);
    return program.answer.empty() ? UINT64_MAX : program.answer[0];
  }

  /// A product of 1 x 1 matrices: numbers[c] := numbers[a] * numbers[b].
  std::vector<char> product(size_t a, size_t b, size_t c, int order = 102,
                            double alpha = 1) {
    return request("cblas_dgemm",
                   {uint64_t(order), 111, 111, 1, 1, 1, bits(alpha), at(a), 1,
                    at(b), 1, bits(0), at(c), 1});
  }

  /// Batches that cuBLAS's stand-in was given.
  static int &batches() {
    void *library = dlopen(CUBLAS_DOUBLE, RTLD_NOW | RTLD_NOLOAD);
    return *static_cast<int *>(dlsym(library, "cublas_double_batches"));
  }

  uint64_t at(size_t i) const {
    return reinterpret_cast<uint64_t>(&numbers[i]);
  }

  std::vector<double> numbers = std::vector<double>(64);
  const gpuexec_service_description *service = gpuexec_service();
  void *state = nullptr;
  int context = 0;
  const gpuexec_host host = {sizeof(gpuexec_host),
                             GPUEXEC_SERVICE_VERSION,
                             "program",
                             reply,
                             read_device,
                             write_device,
                             fail,
                             view_device,
                             &context,
                             check_device,
                             allocate_device,
                             free_device,
                             "stand-in"};
};

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
  setenv("CUDA_DOUBLE_FAIL", "cuStreamQuery:1", 1);
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
  setenv("CUDA_DOUBLE_FAIL", "cuStreamQuery:1", 1);
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
