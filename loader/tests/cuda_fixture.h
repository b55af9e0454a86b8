//===-- loader/tests/cuda_fixture.h - A program on the fake driver -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tests of the CUDA backend share: an image, the fake driver in a state of
// its own for each test, and the whole way through a run.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_TESTS_CUDA_FIXTURE_H
#define GPUEXEC_LOADER_TESTS_CUDA_FIXTURE_H

#include "loader/device/cuda/driver.h"
#include "loader/program/program.h"
#include "test/support/fake_cuda.h"
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuexec {

using fake_cuda::Launch;

inline constexpr char CUDA_IMAGE[] = R"(.version 7.8
.target sm_70
.address_size 64
.visible .global .align 8 .b8 __llvm_rpc_client[552];
.visible .global .align 8 .u64 __init_array_start;
.visible .global .align 8 .u64 __init_array_end;
.visible .global .align 8 .u64 __fini_array_start;
.visible .global .align 8 .u64 __fini_array_end;
.visible .const .align 8 .u64 __init_array_object_late_0_65535 = 0;
.visible .const .align 8 .u64 __init_array_object_early_0_101 = 0;
.visible .const .align 8 .u64 __fini_array_object_last_0_101 = 0;
.visible .entry _begin(.param .u32 a, .param .u64 b, .param .u64 c) { ret; }
.visible .entry _start(.param .u32 a, .param .u64 b, .param .u64 c, .param .u64 d) { ret; }
.visible .entry _end() { ret; }
)";

class Cuda : public testing::Test {
protected:
  void SetUp() override {
    void *library = dlopen(FAKE_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library) << dlerror();
    auto get = reinterpret_cast<decltype(&fake_cuda_state)>(
        dlsym(library, "fake_cuda_state"));
    ASSERT_TRUE(get);
    fake = get();
    fake->results.clear();
    fake->kernels.clear();
    fake->global_memory.clear();
    fake->calls.clear();
    fake->launches.clear();
    fake->violations.clear();
    fake->live_allocations = 0; // a fault leaves its memory to the driver
    fake->devices = 1;
    fake->attributes.clear();
    fake->maps_memory = true;
    fake->local = 0;
    fake->largest_stack = fake->largest_heap = SIZE_MAX;
    fake->free_memory = size_t(6) << 30;
    fake->holds_access_back = false;
    fake->out_of_memory.clear();
    memory_timeout = std::chrono::milliseconds(0);
    growth_timeout = std::chrono::minutes(5);
    fake->globals = {{"__llvm_rpc_client", 552},
                     {"__init_array_start", 8},
                     {"__init_array_end", 8},
                     {"__fini_array_start", 8},
                     {"__fini_array_end", 8},
                     {"__init_array_object_late_0_65535", 8},
                     {"__init_array_object_early_0_101", 8},
                     {"__fini_array_object_last_0_101", 8}};
  }

  /// The whole way: open, load, run, tear down.
  llvm::Expected<int32_t> run(ProgramOptions options = {}) {
    llvm::Expected<Image> image =
        Image::parse(llvm::MemoryBufferRef(CUDA_IMAGE, "test.ptx"));
    if (!image)
      return image.takeError();
    std::unique_ptr<cuda::FaultReport> faults;
    if (fault_report)
      faults = std::make_unique<cuda::FaultReport>();
    llvm::Expected<cuda::Api> api = cuda::load_driver(FAKE_CUDA_LIBRARY);
    if (!api)
      return api.takeError();
    api->memory_timeout = memory_timeout;
    api->growth_timeout = growth_timeout;
    api->dump_timeout = std::chrono::milliseconds(50);
    llvm::Expected<std::unique_ptr<Device>> device =
        cuda::open_device(*api, 0, std::move(faults));
    if (!device)
      return device.takeError();
    heap = &(*device)->heap();
    options.image = "test.ptx";
    Phases phases(Phases::Clock::now());
    llvm::Expected<std::unique_ptr<Program>> program =
        Program::load(**device, *image, std::move(options), phases);
    if (!program)
      return program.takeError();
    return (*program)->run();
  }

  uint64_t &global(const char *name) {
    return *static_cast<uint64_t *>(fake->global_memory.at(name));
  }

  fake_cuda::State *fake = nullptr;
  bool fault_report = false;
  std::chrono::milliseconds memory_timeout{0}, growth_timeout{0};
  rpc::DeviceMemory *heap = nullptr;
};

} // namespace gpuexec

#endif
