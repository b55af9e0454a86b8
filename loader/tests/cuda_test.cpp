//===-- loader/tests/cuda_test.cpp - The CUDA backend, without a GPU ------===//
// Against fake_cuda.h: the order of calls, what kernels are given, every error
// path, and that nothing is asked of the driver while a kernel runs that it
// might hold back.
#include "loader/device/cuda/driver.h"
#include "loader/program/program.h"
#include "loader/tests/fake_cuda.h"
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuexec;
using fake_cuda::Launch;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr char IMAGE[] = R"(.version 7.8
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

template <typename T> T &at(uint64_t address) {
  return *reinterpret_cast<T *>(address);
}
template <typename T> T argument(const Launch &launch, size_t offset) {
  T value;
  std::memcpy(&value, launch.arguments.data() + offset, sizeof(value));
  return value;
}

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
    fake->maps_memory = true;
    fake->largest_stack = fake->largest_heap = SIZE_MAX;
    fake->out_of_memory.clear();
    patience = std::chrono::milliseconds(0);
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
        Image::parse(llvm::MemoryBufferRef(IMAGE, "test.ptx"));
    if (!image)
      return image.takeError();
    llvm::Expected<cuda::Api> api = cuda::load_driver(FAKE_CUDA_LIBRARY);
    if (!api)
      return api.takeError();
    api->patience = patience;
    llvm::Expected<std::unique_ptr<Device>> device = cuda::open_device(*api, 0);
    if (!device)
      return device.takeError();
    heap = &(*device)->heap();
    options.argv.insert(options.argv.begin(), "test.ptx");
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
  std::chrono::milliseconds patience{0};
  rpc::DeviceMemory *heap = nullptr;
};

TEST_F(Cuda, RunsTheStartUpKernelsInOrder) {
  std::vector<std::string> argv;
  fake->kernels["_start"] = [&](const Launch &launch) {
    uint64_t list = argument<uint64_t>(launch, 8);
    for (int i = 0; i < argument<int>(launch, 0); ++i)
      argv.push_back(at<const char *>(list + 8 * i));
    EXPECT_EQ(at<uint64_t>(list + 8 * argv.size()), 0u);
    EXPECT_STREQ(at<const char *>(argument<uint64_t>(launch, 16)), "A=1");
    EXPECT_EQ(at<int32_t>(argument<uint64_t>(launch, 24)), 0);
    at<int32_t>(argument<uint64_t>(launch, 24)) = 7;
    return 0;
  };
  ProgramOptions options;
  options.argv = {"one", "", "\xff"};
  options.envp = {"A=1"};
  options.grid.threads = {64, 2, 1};
  options.grid.blocks = {3, 1, 1};
  llvm::Expected<int32_t> status = run(std::move(options));
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  EXPECT_EQ(*status, 7);
  EXPECT_THAT(argv, ElementsAre("test.ptx", "one", "", "\xff"));
  ASSERT_EQ(fake->launches.size(), 3u);
  EXPECT_EQ(fake->launches[0].kernel, "_begin");
  EXPECT_EQ(fake->launches[0].arguments.size(), 24u);
  EXPECT_THAT(fake->launches[0].threads, ElementsAre(1u, 1u, 1u));
  EXPECT_EQ(fake->launches[1].kernel, "_start");
  EXPECT_EQ(fake->launches[1].arguments.size(), 32u);
  EXPECT_THAT(fake->launches[1].threads, ElementsAre(64u, 2u, 1u));
  EXPECT_THAT(fake->launches[1].blocks, ElementsAre(3u, 1u, 1u));
  EXPECT_EQ(fake->launches[2].kernel, "_end");
  EXPECT_EQ(fake->launches[2].arguments.size(), 0u);
  EXPECT_THAT(fake->violations, testing::IsEmpty());
  EXPECT_EQ(fake->live_allocations, 0u);
}

TEST_F(Cuda, BuildsTheConstructorTables) {
  fake->initial = {{"__init_array_object_early_0_101", 0xe000},
                   {"__init_array_object_late_0_65535", 0xf000},
                   {"__fini_array_object_last_0_101", 0xa000}};
  std::vector<uint64_t> init, fini;
  fake->kernels["_begin"] = [&](const Launch &) {
    auto read = [&](const char *begin, const char *end) {
      std::vector<uint64_t> table;
      for (uint64_t entry = global(begin); entry != global(end); entry += 8)
        table.push_back(at<uint64_t>(entry));
      return table;
    };
    init = read("__init_array_start", "__init_array_end");
    fini = read("__fini_array_start", "__fini_array_end");
    return 0;
  };
  llvm::Expected<int32_t> status = run();
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  EXPECT_THAT(init, ElementsAre(0xe000u, 0xf000u)); // ascending priority
  EXPECT_THAT(fini, ElementsAre(0xa000u));
}

TEST_F(Cuda, ConstructorsWithoutBounds) {
  fake->globals.erase("__fini_array_end");
  llvm::Expected<int32_t> status = run();
  ASSERT_FALSE(bool(status));
  EXPECT_THAT(llvm::toString(status.takeError()),
              HasSubstr("test.ptx: has constructors, but no "
                        "'__fini_array_end'"));
  EXPECT_EQ(fake->live_allocations, 0u);
}

TEST_F(Cuda, MailboxAndClientAreReadyBeforeTheFirstKernel) {
  uint32_t ports = 0;
  uint64_t inbox = 0;
  fake->kernels["_begin"] = [&](const Launch &) {
    auto *client =
        static_cast<std::byte *>(fake->global_memory.at("__llvm_rpc_client"));
    std::memcpy(&ports, client, sizeof(ports));
    std::memcpy(&inbox, client + 8, sizeof(inbox));
    // Both mailboxes zero: every port is the client's. The fake hands out
    // pinned memory full of rubbish.
    for (uint32_t i = 0; i < 2 * ports; ++i)
      EXPECT_EQ(at<uint32_t>(inbox + 4 * i), 0u);
    return 0;
  };
  ProgramOptions options;
  options.grid.blocks = {16, 1, 1};
  options.grid.threads = {64, 1, 1};
  llvm::Expected<int32_t> status = run(std::move(options));
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  EXPECT_EQ(ports, port_count(32, 4 * 64));
}

TEST_F(Cuda, HeapAnswersWhileAKernelRuns) {
  for (bool maps_memory : {true, false}) {
    SetUp();
    fake->maps_memory = maps_memory;
    fake->kernels["_start"] = [&](const Launch &) {
      // From this thread, which the driver holds: it must not matter.
      uint64_t a = heap->allocate(2u << 20, 2u << 20);
      uint64_t b = heap->allocate(100, 2u << 20);
      EXPECT_NE(a, 0u);
      EXPECT_NE(b, 0u);
      EXPECT_EQ(a % (2u << 20), 0u);
      EXPECT_EQ(b % (2u << 20), 0u);
      EXPECT_TRUE(b >= a + (2u << 20) || a >= b + 100);
      EXPECT_EQ(heap->allocate(uint64_t(1) << 40, 16), 0u);
      std::string text(700 * 1000, 'x'), back(text.size(), ' ');
      text[1] = 'y';
      EXPECT_FALSE(bool(heap->write(a, text.data(), text.size())));
      EXPECT_FALSE(bool(heap->read(back.data(), a, back.size())));
      EXPECT_EQ(back, text);
      // Nonsense from the device is an error, not a crash.
      for (uint64_t address :
           {uint64_t(0), uint64_t(8), UINT64_MAX - 3, b + 99})
        EXPECT_EQ(
            llvm::errorToBool(heap->read(back.data(), address, 600u << 20)),
            true);
      heap->free(a);
      heap->free(a);
      heap->free(12345);
      EXPECT_EQ(heap->allocate(2u << 20, 2u << 20), a);
      return 0;
    };
    ProgramOptions options;
    options.settings.heap_size = 64u << 20;
    llvm::Expected<int32_t> status = run(std::move(options));
    ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
    EXPECT_THAT(fake->violations, testing::IsEmpty());
    EXPECT_EQ(fake->live_allocations, 0u);
  }
}

TEST_F(Cuda, LargeCopiesWithTheirWordAndWithout) {
  for (bool has_word : {true, false}) {
    SetUp();
    if (!has_word)
      fake->results["cuStreamWriteValue32_v2"] = 801; // not supported
    fake->kernels["_start"] = [&](const Launch &) {
      const uint64_t size = 1u << 20, memory = heap->allocate(2 * size, 16);
      std::string text(2 * size, 'x');
      for (uint64_t i = 0; i < text.size(); ++i)
        text[i] = char('a' + i % 23);
      EXPECT_FALSE(bool(heap->write(memory, text.data(), text.size())));
      fake->calls.clear();
      for (int round = 0; round < 3; ++round) {
        auto copies = heap->copy_buffer();
        if (!copies)
          return 1;
        EXPECT_FALSE(heap->copy_buffer()); // one at a time
        for (unsigned half : {0u, 1u}) {
          std::memset(copies->data(half), ' ', size);
          EXPECT_FALSE(
              bool(copies->start_read(half, 0, memory + half * size, size)));
        }
        copies->no_more(1);
        for (unsigned half : {0u, 1u}) {
          EXPECT_FALSE(bool(copies->finish(half)));
          EXPECT_EQ(llvm::StringRef(copies->data(half), size),
                    llvm::StringRef(text).substr(half * size, size));
        }
        // One that is left alone, and one that cannot begin.
        EXPECT_FALSE(bool(copies->start_read(0, 0, memory, size)));
        copies->no_more(0);
        EXPECT_TRUE(llvm::errorToBool(copies->start_read(1, 0, 8, size)));
        copies->no_more(1);
      }
      auto calls = [&](const char *name) {
        return std::count(fake->calls.begin(), fake->calls.end(), name);
      };
      EXPECT_EQ(calls("cuStreamWriteValue32_v2"), 6);
      // Without a word, each end is asked for until it is there.
      EXPECT_EQ(calls("cuStreamQuery"), has_word ? 6 : 18);
      return 0;
    };
    ProgramOptions options;
    options.settings.heap_size = 64u << 20;
    llvm::Expected<int32_t> status = run(std::move(options));
    ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
    EXPECT_EQ(*status, 0);
    EXPECT_THAT(fake->violations, testing::IsEmpty());
    EXPECT_EQ(fake->live_allocations, 0u);
  }
}

TEST_F(Cuda, AFaultIsTheProgramS) {
  fake->kernels["_start"] = [](const Launch &) { return 700; };
  llvm::Expected<int32_t> status = run();
  ASSERT_FALSE(bool(status));
  llvm::handleAllErrors(
      status.takeError(),
      [](const DeviceFault &fault) {
        EXPECT_EQ(fault.message(),
                  "kernel '_start': an illegal memory access was encountered "
                  "(CUDA_ERROR_ILLEGAL_ADDRESS)");
        EXPECT_THAT(fault.report(), HasSubstr("bytes of stack"));
        EXPECT_THAT(fault.report(), HasSubstr("--stack-size"));
      },
      [](const llvm::ErrorInfoBase &other) {
        ADD_FAILURE() << other.message();
      });
}

TEST_F(Cuda, BadPtxIsOneLineWithTheLog) {
  fake->results["cuModuleLoadDataEx"] = 218;
  fake->jit_log = "ptxas x, line 7; error : Unknown symbol 'frob'\n\n"
                  "ptxas fatal : aborted\n";
  llvm::Expected<int32_t> status = run();
  ASSERT_FALSE(bool(status));
  std::string text;
  llvm::handleAllErrors(status.takeError(), [&](const Failure &failure) {
    EXPECT_EQ(failure.status(), status::NotRunnable);
    text = failure.message();
  });
  EXPECT_EQ(text, "test.ptx: cuda:0 cannot load it: a PTX JIT compilation "
                  "failed (CUDA_ERROR_INVALID_PTX): ptxas x, line 7; error : "
                  "Unknown symbol 'frob'; ptxas fatal : aborted");
}

TEST_F(Cuda, TooManyThreads) {
  ProgramOptions options;
  options.grid.threads = {1025, 1, 1};
  llvm::Expected<int32_t> status = run(std::move(options));
  ASSERT_FALSE(bool(status));
  EXPECT_EQ(llvm::toString(status.takeError()),
            "--threads: kernel '_start' can have at most 1024 threads in a "
            "block on this device, not 1025");
}

TEST_F(Cuda, BesideOthersLessMemoryHasToDo) {
  fake->largest_stack = 1500;
  fake->largest_heap = 20u << 20;
  llvm::Expected<int32_t> status = run();
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  EXPECT_LE(fake->stack, 1500u);
  EXPECT_GE(fake->stack, 1024u);
  EXPECT_LE(fake->heap, 20u << 20);
  EXPECT_GE(fake->heap, 8u << 20);
  EXPECT_EQ(fake->live_allocations, 0u);
}

TEST_F(Cuda, LessMemoryHelpsOnlyWhereMemoryIsShort) {
  fake->results["cuMemCreate"] = CUDA_ERROR_INVALID_DEVICE;
  llvm::Expected<int32_t> status = run();
  ASSERT_FALSE(bool(status));
  EXPECT_THAT(llvm::toString(status.takeError()),
              HasSubstr("creating the heap: "));
  EXPECT_EQ(std::count(fake->calls.begin(), fake->calls.end(), "cuMemCreate"),
            1);
}

TEST_F(Cuda, WhatWasAskedForIsGivenOrRefused) {
  fake->largest_stack = 1500;
  ProgramOptions options;
  options.settings.stack_size = 4096;
  llvm::Expected<int32_t> status = run(std::move(options));
  ASSERT_FALSE(bool(status));
  EXPECT_THAT(llvm::toString(status.takeError()),
              HasSubstr("setting the stack size: "));
  fake->largest_stack = SIZE_MAX;
  fake->largest_heap = 20u << 20;
  options = ProgramOptions();
  options.settings.heap_size = 64u << 20;
  status = run(std::move(options));
  ASSERT_FALSE(bool(status));
  EXPECT_THAT(llvm::toString(status.takeError()), HasSubstr("the heap: "));
}

TEST_F(Cuda, WaitsForMemoryThatOthersHave) {
  const char *const places[] = {"cuDevicePrimaryCtxRetain", "cuCtxSetLimit",
                                "cuModuleLoadDataEx", "cuMemAlloc_v2"};
  for (const char *name : places) {
    SetUp();
    fake->out_of_memory[name] = 6; // the stack is tried in four sizes first
    llvm::Expected<int32_t> status = run();
    ASSERT_FALSE(bool(status)) << name;
    EXPECT_THAT(llvm::toString(status.takeError()), HasSubstr("out of memory"));
    SetUp();
    fake->out_of_memory[name] = 6;
    patience = std::chrono::minutes(5);
    status = run();
    ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
    EXPECT_EQ(fake->out_of_memory[name], 0) << name;
    EXPECT_EQ(fake->live_allocations, 0u) << name;
  }
}

TEST_F(Cuda, NoDevice) {
  fake->devices = 0;
  llvm::Expected<int32_t> status = run();
  ASSERT_FALSE(bool(status));
  EXPECT_EQ(llvm::toString(status.takeError()),
            "cuda: cuInit: no CUDA-capable device is detected "
            "(CUDA_ERROR_NO_DEVICE)");
  std::vector<DeviceInfo> devices;
  cuda::list_devices(FAKE_CUDA_LIBRARY, devices, [](const llvm::Twine &text) {
    ADD_FAILURE() << text.str(); // having none is no trouble
  });
  EXPECT_TRUE(devices.empty());
}

TEST_F(Cuda, ListsDevices) {
  fake->devices = 2;
  std::vector<DeviceInfo> devices;
  cuda::list_devices(FAKE_CUDA_LIBRARY, devices,
                     [](const llvm::Twine &text) { ADD_FAILURE(); });
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[1].spec(), "cuda:1");
  EXPECT_EQ(devices[1].target_id, "sm_90");
  EXPECT_EQ(devices[1].resident_waves(), 4u * 64);
}

TEST_F(Cuda, MissingLibraryAndMissingSymbol) {
  EXPECT_THAT(
      llvm::toString(cuda::load_driver("./no-such-libcuda.so").takeError()),
      HasSubstr("no-such-libcuda.so: cannot open shared object file"));
  EXPECT_THAT(llvm::toString(cuda::load_driver("libm.so.6").takeError()),
              HasSubstr("libm.so.6: missing symbol 'cuInit'"));
}

TEST_F(Cuda, EveryFunctionMayFail) {
  ASSERT_TRUE(bool(run()));
  std::set<std::string> called(fake->calls.begin(), fake->calls.end());
  ASSERT_GT(called.size(), 20u);
  for (const std::string &name : called) {
    SetUp();
    fake->results[name] = 2; // out of memory
    llvm::Expected<int32_t> status = run();
    if (status)
      continue; // what only helps need not succeed
    std::string text = llvm::toString(status.takeError());
    EXPECT_THAT(text, HasSubstr("out of memory")) << name;
    EXPECT_EQ(text.find('\n'), std::string::npos) << name;
    EXPECT_THAT(fake->violations, testing::IsEmpty()) << name;
    // What failed to be freed is not ours to free again.
    if (name.find("Free") == std::string::npos)
      EXPECT_EQ(fake->live_allocations, 0u) << name;
  }
}

} // namespace
