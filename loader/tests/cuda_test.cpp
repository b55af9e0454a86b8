//===-- loader/tests/cuda_test.cpp - The CUDA backend, without a GPU ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Against fake_cuda.h: the order of calls, what kernels are given, every error
// path, and that nothing is asked of the driver while a kernel runs that it
// might hold back.
#include "loader/tests/cuda_fixture.h"

using namespace gpuexec;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

template <typename T> T &at(uint64_t address) {
  return *reinterpret_cast<T *>(address);
}
template <typename T> T argument(const Launch &launch, size_t offset) {
  T value;
  std::memcpy(&value, launch.arguments.data() + offset, sizeof(value));
  return value;
}

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
  options.arguments = {"one", "", "\xff"};
  options.environment = {"A=1"};
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

TEST_F(Cuda, ProgramsThatRecurseLearnHowLargeTheStackIs) {
  fake->globals["__gpuexec_stack_limits"] = 12;
  uint32_t limits[3] = {};
  fake->kernels["_begin"] = [&](const Launch &) {
    std::memcpy(limits, fake->global_memory.at("__gpuexec_stack_limits"),
                sizeof(limits));
    return 0;
  };
  llvm::Expected<int32_t> status = run();
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  EXPECT_EQ(limits[2], fake->stack);
  EXPECT_LT(limits[0], limits[1]);
  EXPECT_LT(limits[1], limits[2]);
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

TEST_F(Cuda, TheKernelThatBrokeIsNamed) {
  for (const char *name : {"_begin", "_start", "_end"}) {
    SetUp();
    fake->kernels[name] = [](const Launch &) { return 700; };
    llvm::Expected<int32_t> status = run();
    ASSERT_FALSE(bool(status));
    EXPECT_THAT(llvm::toString(status.takeError()),
                StartsWith(std::string("kernel '") + name + "'"));
    SetUp();
    // A driver that has no words for the stream: each kernel is waited for.
    fake->kernels[name] = [](const Launch &) { return 700; };
    fake->results["cuStreamWriteValue32_v2"] = 801;
    status = run();
    ASSERT_FALSE(bool(status));
    EXPECT_THAT(llvm::toString(status.takeError()),
                StartsWith(std::string("kernel '") + name + "'"));
  }
}

TEST_F(Cuda, KernelsAreWaitedForTogether) {
  auto waits_between = [&](bool one_at_a_time) {
    SetUp();
    ProgramOptions options;
    options.separate_kernels = one_at_a_time;
    llvm::Expected<int32_t> status = run(std::move(options));
    EXPECT_TRUE(bool(status)) << llvm::toString(status.takeError());
    auto first = std::find(fake->calls.begin(), fake->calls.end(),
                           "cuLaunchKernel"),
         last = std::find(fake->calls.rbegin(), fake->calls.rend(),
                          "cuLaunchKernel")
                    .base();
    return std::count(first, last, "cuStreamQuery");
  };
  EXPECT_EQ(waits_between(false), 0);
  EXPECT_GT(waits_between(true), 0);
}

/// Its code has to be loaded while nothing runs: who loads it may wait for what
/// runs, and that for this process.
TEST_F(Cuda, AKernelThatNeedsMemoryWaitsForThoseBefore) {
  fake->local = 1 << 20;
  ASSERT_TRUE(bool(run()));
  std::string order;
  for (const std::string &call : fake->calls)
    order += call == "cuLaunchKernel"       ? "L"
             : call == "cuFuncGetAttribute" ? "a"
             : call == "cuStreamQuery"      ? "w"
                                            : "";
  EXPECT_THAT(order, HasSubstr("aaLw"));
  EXPECT_THAT(order, Not(HasSubstr("LL")));
}

TEST_F(Cuda, BadPtxIsOneLineWithTheLog) {
  fake->results["cuModuleLoadDataEx"] = 218;
  fake->jit_log = "ptxas x, line 7; error : Unknown symbol 'frob'\n\n"
                  "ptxas fatal : aborted\n";
  llvm::Expected<int32_t> status = run();
  ASSERT_FALSE(bool(status));
  std::string text;
  llvm::handleAllErrors(status.takeError(), [&](const Failure &failure) {
    EXPECT_EQ(failure.reason(), Reason::not_runnable);
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

TEST_F(Cuda, CanBeLentAndTellsNothingOfItsWaves) {
  llvm::Expected<cuda::Api> api = cuda::load_driver(FAKE_CUDA_LIBRARY);
  ASSERT_TRUE(bool(api)) << llvm::toString(api.takeError());
  llvm::Expected<std::unique_ptr<Device>> device =
      cuda::open_device(*api, 0, nullptr);
  ASSERT_TRUE(bool(device)) << llvm::toString(device.takeError());
  EXPECT_TRUE(bool(need_leasable(**device)));
  EXPECT_EQ(llvm::toString(need_observable(**device).takeError()),
            "only an emulated AMD GPU can do that");
  EXPECT_THAT(llvm::toString(need_lockstep(**device).takeError()),
              HasSubstr("in gpuexec's own process: --device=emulator"));
}

TEST_F(Cuda, MissingLibraryAndMissingSymbol) {
  EXPECT_THAT(
      llvm::toString(cuda::load_driver("./no-such-libcuda.so").takeError()),
      HasSubstr("no-such-libcuda.so: No such file or directory"));
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
