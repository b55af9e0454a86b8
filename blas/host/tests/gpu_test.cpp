//===-- blas/host/tests/gpu_test.cpp - The service beside a GPU -----------===//
// Requests to the service with stand-ins for NVIDIA's driver and for cuBLAS,
// whose memory is the host's.
//===----------------------------------------------------------------------===//
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

extern "C" {
#include "blas/cuda/cublas.h"
#include "blas/request.h"
#include "rpc/include/gpuexec_service.h"
}

namespace {

/// What the program's memory and the service's answers are.
struct Program {
  uint64_t begin = 0, end = 0; ///< of what it may use
  unsigned copies = 0;         ///< from and to it
  std::vector<uint64_t> answer;
  std::string failure;
} program;

int reply(gpuexec_call *, uint32_t, uint32_t, const void *data, uint64_t size) {
  program.answer.resize(size / sizeof(uint64_t));
  memcpy(program.answer.data(), data, size);
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

  /// The error that the program gets.
  uint64_t call(const char *function, std::vector<uint64_t> words,
                uint32_t opcode = BLAS_OPCODE) {
    uint32_t number = 0;
    while (strcmp(cublas_function_name(number), function) != 0)
      ++number;
    const blas_header header = {number, uint32_t(words.size())};
    std::vector<char> request(sizeof header + words.size() * 8);
    memcpy(request.data(), &header, sizeof header);
    memcpy(request.data() + sizeof header, words.data(), words.size() * 8);
    gpuexec_bytes inputs[GPUEXEC_MAX_LANES] = {
        {request.data(), request.size()}};
    gpuexec_call call = {};
    call.struct_size = sizeof call;
    call.opcode = opcode;
    call.lane_mask = 1;
    call.input_count = call.output_count = 1;
    call.inputs = inputs;
    for (uint32_t i = 0; i < service->operation_count; ++i)
      if (service->operations[i].opcode == opcode)
        EXPECT_EQ(service->operations[i].serve(state, &host, &call), 0);
    return program.answer.empty() ? UINT64_MAX : program.answer[0];
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

TEST_F(GpuTest, IsNotUsedWhenTheUserSaysSo) {
  open("host");
  EXPECT_EQ(call("cblas_dscal", {1, bits(2), at(0), 1}), 0u);
  EXPECT_EQ(program.copies, 2u);
}

} // namespace
