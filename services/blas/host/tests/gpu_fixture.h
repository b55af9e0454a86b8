//===-- services/blas/host/tests/gpu_fixture.h - The service beside a GPU -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that asks the service, with stand-ins for NVIDIA's libraries, whose
// memory is the host's.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_HOST_TESTS_GPU_FIXTURE_H
#define GPUEXEC_SERVICES_BLAS_HOST_TESTS_GPU_FIXTURE_H

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

extern "C" {
#include "rpc/include/gpuexec_service.h"
#include "services/blas/cuda/cublas.h"
#include "services/blas/request.h"
#include "services/common/packing.h"
}

namespace gpuexec::blas {

/// What the program's memory and the service's answers are.
struct Program {
  uint64_t begin = 0, end = 0;  ///< of what it may use
  unsigned copies = 0;          ///< from and to it
  std::vector<uint64_t> answer; ///< of the last lane
  std::vector<uint64_t> errors; ///< of each lane
  std::string failure;
  unsigned allocations = 0;
  unsigned waited = 0; ///< calls for which a background thread was needed
  std::map<uint64_t, uint64_t> workspaces; ///< address and size; not freed yet
};
inline Program program;

inline std::mutex replies;

inline int reply(gpuexec_call *, uint32_t, uint32_t, const void *data,
                 uint64_t size) {
  std::lock_guard guard(replies);
  program.answer.resize(size / sizeof(uint64_t));
  memcpy(program.answer.data(), data, size);
  program.errors.push_back(program.answer[0]);
  return 0;
}

inline bool holds(uint64_t address, uint64_t size) {
  const auto after = program.workspaces.upper_bound(address);
  const auto work =
      after == program.workspaces.begin() ? after : std::prev(after);
  if (work != after && address + size <= work->first + work->second)
    return true;
  return address >= program.begin && address + size <= program.end;
}

inline int read_device(gpuexec_call *, void *to, uint64_t address,
                       uint64_t size) {
  ++program.copies;
  if (!holds(address, size))
    return EFAULT;
  memcpy(to, reinterpret_cast<const void *>(address), size);
  return 0;
}

inline int write_device(gpuexec_call *, uint64_t address, const void *from,
                        uint64_t size) {
  ++program.copies;
  if (!holds(address, size))
    return EFAULT;
  memcpy(reinterpret_cast<void *>(address), from, size);
  return 0;
}

inline void fail(gpuexec_call *, const char *message) {
  program.failure = message;
}

inline void *view_device(gpuexec_call *, uint64_t, uint64_t, int) {
  return nullptr;
}

inline int check_device(gpuexec_call *, uint64_t address, uint64_t size, int) {
  return holds(address, size) ? 0 : EFAULT;
}

inline uint64_t allocate_device(gpuexec_call *, uint64_t size) {
  ++program.allocations;
  const uint64_t address = reinterpret_cast<uint64_t>(malloc(size));
  program.workspaces[address] = size;
  return address;
}
inline void free_device(gpuexec_call *, uint64_t address) {
  program.workspaces.erase(address);
  free(reinterpret_cast<void *>(address));
}

inline uint64_t bits(double number) {
  uint64_t word;
  memcpy(&word, &number, sizeof word);
  return word;
}

struct GpuTest : testing::Test {
  GpuTest() {
    // The service opens libraries of these names: those that are there already.
    EXPECT_NE(dlopen(FAKE_CUDA_LIBRARY, RTLD_NOW), nullptr) << dlerror();
    EXPECT_NE(dlopen(CUBLAS_DOUBLE, RTLD_NOW), nullptr) << dlerror();
    EXPECT_NE(dlopen(CUSOLVER_DOUBLE, RTLD_NOW), nullptr) << dlerror();
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1); // not the user's
    program = {};
    program.begin = reinterpret_cast<uint64_t>(numbers.data());
    program.end = program.begin + numbers.size() * sizeof(double);
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = double(i % 5) - 2;
  }
  ~GpuTest() override {
    unsetenv("FAKE_CUDA_FAIL_ONCE");
    unsetenv("FAKE_CUDA_LOOK_DELAY");
    unsetenv("CUSOLVER_DOUBLE_INFO");
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
    return request(number, words);
  }
  static std::vector<char> request(uint32_t function,
                                   const std::vector<uint64_t> &words) {
    const uint32_t count = uint32_t(words.size());
    const blas_header header = {function, BLAS_PACKED | count};
    uint64_t packed[PACKED_WORDS(BLAS_WORDS)];
    const uint32_t size = 8 * pack_words(words.data(), count, packed);
    std::vector<char> bytes(sizeof header + size);
    memcpy(bytes.data(), &header, sizeof header);
    memcpy(bytes.data() + sizeof header, packed, size);
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
        serve(service->operations[i], call);
  }

  /// As gpuexec: first in the polling thread, if the operation is quick.
  void serve(const gpuexec_operation &operation, gpuexec_call &call) {
    int result = GPUEXEC_NOT_QUICK;
    if (operation.flags & GPUEXEC_QUICK)
      result = operation.serve(state, &host, &call);
    if (result == GPUEXEC_NOT_QUICK) {
      call.may_wait = 1;
      {
        std::lock_guard guard(replies);
        ++program.waited;
      }
      result = operation.serve(state, &host, &call);
    }
    EXPECT_EQ(result, 0);
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
                             "stand-in",
                             nullptr};
};

} // namespace gpuexec::blas

#endif
