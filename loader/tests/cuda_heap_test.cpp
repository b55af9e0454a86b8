//===-- loader/tests/cuda_heap_test.cpp - Memory of the CUDA backend ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Against fake_cuda.h: what the heap gives while a kernel runs, which calls of
// the driver that needs, and what happens when memory is short.
#include "loader/tests/cuda_fixture.h"
#include <atomic>
#include <thread>

using namespace gpuexec;
using testing::HasSubstr;

namespace {

TEST_F(Cuda, HeapAnswersWhileAKernelRuns) {
  for (bool maps_memory : {true, false}) {
    SetUp();
    fake->maps_memory = maps_memory;
    fake->kernels["_start"] = [&](const Launch &) {
      // From this thread, which the driver holds: it must not matter.
      DeviceAddress a = heap->allocate(2u << 20, 2u << 20);
      DeviceAddress b = heap->allocate(100, 2u << 20);
      EXPECT_TRUE(a);
      EXPECT_TRUE(b);
      EXPECT_EQ(a.value % (2u << 20), 0u);
      EXPECT_EQ(b.value % (2u << 20), 0u);
      EXPECT_TRUE(b >= a + (2u << 20) || a >= b + 100);
      EXPECT_FALSE(heap->allocate(uint64_t(1) << 40, 16));
      std::string text(700 * 1000, 'x'), back(text.size(), ' ');
      text[1] = 'y';
      EXPECT_FALSE(bool(heap->write(a, text.data(), text.size())));
      EXPECT_FALSE(bool(heap->read(back.data(), a, back.size())));
      EXPECT_EQ(back, text);
      // Nonsense from the device is an error, not a crash.
      for (uint64_t address :
           {uint64_t(0), uint64_t(8), UINT64_MAX - 3, b.value + 99})
        EXPECT_EQ(llvm::errorToBool(heap->read(
                      back.data(), DeviceAddress(address), 600u << 20)),
                  true);
      heap->free(a);
      heap->free(a);
      heap->free(DeviceAddress(12345));
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

TEST_F(Cuda, HeapGrowsWhileAKernelRuns) {
  constexpr uint64_t MIB = 1u << 20;
  fake->kernels["_start"] = [&](const Launch &) {
    EXPECT_EQ(fake->heap, 512 * MIB);
    DeviceAddress first = heap->allocate(500 * MIB, 2 * MIB);
    DeviceAddress second = heap->allocate(500 * MIB, 2 * MIB);
    EXPECT_TRUE(first);
    EXPECT_TRUE(second);
    EXPECT_EQ(fake->heap, 512 * MIB); // as much again
    // What lies in both pieces is one piece to everybody.
    std::string text(3 * MIB, 'x'), back(text.size(), ' ');
    DeviceAddress across = first + 511 * MIB;
    EXPECT_TRUE(second <= across && across + text.size() <= second + 500 * MIB);
    text[MIB - 1] = 'y';
    text[MIB] = 'z';
    EXPECT_FALSE(bool(heap->write(across, text.data(), text.size())));
    EXPECT_FALSE(bool(heap->read(back.data(), across, back.size())));
    EXPECT_EQ(back, text);
    EXPECT_TRUE(llvm::errorToBool(
        heap->read(back.data(), first + (1024 * MIB - 1), 2)));
    // Larger than a step, and than what is left for others to begin with.
    EXPECT_TRUE(heap->allocate(3000 * MIB, 2 * MIB));
    EXPECT_FALSE(heap->allocate(3000 * MIB, 2 * MIB));
    EXPECT_FALSE(heap->allocate(uint64_t(1) << 63, 2 * MIB));
    EXPECT_FALSE(heap->allocate(UINT64_MAX, 2 * MIB));
    while (heap->allocate(2 * MIB, 2 * MIB))
      ;
    EXPECT_GE(fake->free_memory, 512 * MIB);
    EXPECT_LT(fake->free_memory, 514 * MIB);
    heap->free(first);
    EXPECT_EQ(heap->allocate(500 * MIB, 2 * MIB), first);
    return 0;
  };
  llvm::Expected<int32_t> status = run();
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  EXPECT_EQ(fake->free_memory, size_t(6) << 30);
  EXPECT_EQ(fake->live_allocations, 0u);
  EXPECT_THAT(fake->violations, testing::IsEmpty());
}

TEST_F(Cuda, HeapGrowsForManyAtOnce) {
  constexpr uint64_t MIB = 1u << 20;
  fake->kernels["_start"] = [&](const Launch &) {
    std::atomic<unsigned> served = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&, i] {
        // One asks for what cannot be: the others must not hear of it.
        for (int round = 0; round < 20; ++round)
          if (i == 0)
            EXPECT_FALSE(heap->allocate(7000 * MIB, 2 * MIB));
          else
            served += bool(heap->allocate(32 * MIB, 2 * MIB));
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(served, 140u);
    return 0;
  };
  llvm::Expected<int32_t> status = run();
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  EXPECT_EQ(fake->live_allocations, 0u);
  EXPECT_THAT(fake->violations, testing::IsEmpty());
}

TEST_F(Cuda, HeapGrowsNoFurtherThanItWasAskedTo) {
  constexpr uint64_t MIB = 1u << 20;
  fake->kernels["_start"] = [&](const Launch &) {
    EXPECT_FALSE(heap->allocate(65 * MIB, 2 * MIB));
    EXPECT_TRUE(heap->allocate(64 * MIB, 2 * MIB));
    EXPECT_FALSE(heap->allocate(1, 2 * MIB));
    return 0;
  };
  ProgramOptions options;
  options.settings.heap_size = 64 * MIB;
  llvm::Expected<int32_t> status = run(std::move(options));
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
}

TEST_F(Cuda, HeapWaitsForNoDriverThatWaitsForTheKernel) {
  constexpr uint64_t MIB = 1u << 20;
  growth_timeout = std::chrono::milliseconds(20);
  fake->holds_access_back = true; // from the second piece on
  fake->kernels["_start"] = [&](const Launch &) {
    EXPECT_FALSE(heap->allocate(600 * MIB, 2 * MIB));
    EXPECT_TRUE(heap->allocate(100 * MIB, 2 * MIB)); // there is some left
    EXPECT_FALSE(heap->allocate(600 * MIB, 2 * MIB));
    return 0; // and the driver's call ends
  };
  llvm::Expected<int32_t> status = run();
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  EXPECT_EQ(fake->live_allocations, 0u);
  EXPECT_THAT(fake->violations, testing::IsEmpty());
}

TEST_F(Cuda, HeapGrowsByLessWhereOthersTakeMemoryToo) {
  constexpr uint64_t MIB = 1u << 20;
  fake->kernels["_start"] = [&](const Launch &) {
    EXPECT_TRUE(heap->allocate(510 * MIB, 2 * MIB));
    fake->out_of_memory["cuMemCreate"] = 1; // the step, not what is needed
    EXPECT_TRUE(heap->allocate(20 * MIB, 2 * MIB));
    EXPECT_EQ(fake->heap, 22 * MIB);
    for (const char *name :
         {"cuMemCreate", "cuMemMap", "cuMemSetAccess", "cuMemGetInfo_v2"}) {
      size_t before = fake->live_allocations;
      fake->out_of_memory[name] = 2;
      EXPECT_FALSE(heap->allocate(900 * MIB, 2 * MIB)) << name;
      fake->out_of_memory.clear();
      EXPECT_EQ(fake->live_allocations, before) << name;
    }
    EXPECT_TRUE(heap->allocate(900 * MIB, 2 * MIB));
    return 0;
  };
  llvm::Expected<int32_t> status = run();
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  EXPECT_EQ(fake->live_allocations, 0u);
}

TEST_F(Cuda, LargeCopiesWithTheirWordAndWithout) {
  for (bool has_word : {true, false}) {
    SetUp();
    if (!has_word)
      fake->results["cuStreamWriteValue32_v2"] = 801; // not supported
    fake->kernels["_start"] = [&](const Launch &) {
      const uint64_t size = 1u << 20;
      const DeviceAddress memory = heap->allocate(2 * size, 16);
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
        EXPECT_TRUE(llvm::errorToBool(
            copies->start_read(1, 0, DeviceAddress(8), size)));
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

/// Where several processes use a GPU each wait is for a turn of it.
TEST_F(Cuda, WhatIsSetUpForAKernelIsNotWaitedFor) {
  llvm::Expected<cuda::Api> api = cuda::load_driver(FAKE_CUDA_LIBRARY);
  ASSERT_TRUE(bool(api)) << llvm::toString(api.takeError());
  llvm::Expected<std::unique_ptr<Device>> opened =
      cuda::open_device(*api, 0, nullptr);
  ASSERT_TRUE(bool(opened)) << llvm::toString(opened.takeError());
  Device &device = **opened;
  ASSERT_FALSE(llvm::errorToBool(device.leasable()->keep_open()));
  llvm::Expected<Image> image =
      Image::parse(llvm::MemoryBufferRef(CUDA_IMAGE, "test.ptx"));
  ASSERT_TRUE(bool(image));
  const Kernel *kernel = nullptr;
  for (const Kernel &each : image->kernels())
    if (each.name == "_end")
      kernel = &each;
  ASSERT_TRUE(kernel);
  auto waits = [&] {
    return std::count(fake->calls.begin(), fake->calls.end(), "cuStreamQuery");
  };
  auto bytes = [](const char *text) {
    return llvm::ArrayRef(reinterpret_cast<const std::byte *>(text), 4);
  };
  DeviceAddress status;
  auto read = [&] {
    char text[5] = "none";
    llvm::MutableArrayRef<std::byte> to(reinterpret_cast<std::byte *>(text), 4);
    EXPECT_FALSE(
        llvm::errorToBool(device.queue().copy_from_device(to, status)));
    return std::string(text);
  };
  for (int client = 0; client < 2; ++client) {
    llvm::Expected<std::unique_ptr<Module>> module = device.load(*image, {});
    ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
    fake->calls.clear();
    llvm::Expected<DeviceAddress> address = device.allocate_device(4);
    ASSERT_TRUE(bool(address));
    status = *address;
    device.queue().will_read(status, 4);
    for (int i = 0; i < 1000; ++i)
      EXPECT_FALSE(llvm::errorToBool(device.queue().copy_to_device(
          status, bytes(i % 2 ? "odd_" : "even"))));
    EXPECT_EQ(waits(), 0);
    fake->kernels["_end"] = [&](const Launch &) {
      std::string found(4, ' ');
      EXPECT_FALSE(
          llvm::errorToBool(device.heap().read(found.data(), status, 4)));
      EXPECT_EQ(found, "odd_");
      EXPECT_FALSE(llvm::errorToBool(device.heap().write(status, "done", 4)));
      fake->calls.clear();
      return 0;
    };
    EXPECT_FALSE(llvm::errorToBool(
        device.queue().launch(**module, {KernelLaunch{kernel, Grid(), {}}})));
    const auto before = waits();
    EXPECT_EQ(read(), "done");
    EXPECT_EQ(waits(), before) << "it came with the kernel's end";
    // What is written after it counts.
    EXPECT_FALSE(llvm::errorToBool(
        device.queue().copy_to_device(status, bytes("more"))));
    EXPECT_EQ(read(), "more");
    EXPECT_GT(waits(), before);
    // More than fits is waited for.
    const std::vector<std::byte> large(100000, std::byte(7));
    llvm::Expected<DeviceAddress> other = device.allocate_device(large.size());
    ASSERT_TRUE(bool(other));
    EXPECT_FALSE(
        llvm::errorToBool(device.queue().copy_to_device(*other, large)));
    std::vector<std::byte> back(large.size());
    EXPECT_FALSE(
        llvm::errorToBool(device.queue().copy_from_device(back, *other)));
    EXPECT_EQ(back, large);
    EXPECT_TRUE(llvm::errorToBool(
        device.queue().copy_to_device(DeviceAddress(8), bytes("none"))));
    module->reset();
    device.free_device(*other);
    device.free_device(status);
    EXPECT_FALSE(llvm::errorToBool(device.leasable()->clear()));
  }
  EXPECT_THAT(fake->violations, testing::IsEmpty());
}

TEST_F(Cuda, CopiesThatTheDriverRefusesAreErrors) {
  fake->kernels["_start"] = [&](const Launch &) {
    const uint64_t size = 64 << 10;
    const DeviceAddress memory = heap->allocate(size, 16);
    std::string text(size, 'x');
    EXPECT_TRUE(heap->holds(memory, size, true));
    for (auto [address, length] : {std::pair<uint64_t, uint64_t>{8, 1},
                                   {UINT64_MAX - 3, 9},
                                   {memory.value, UINT64_MAX},
                                   {memory.value, uint64_t(1) << 40}})
      EXPECT_FALSE(heap->holds(DeviceAddress(address), length, true))
          << address;
    // Memory that the driver knows, and does not let the host write to.
    fake->results["cuMemcpyHtoDAsync_v2"] = CUDA_ERROR_INVALID_VALUE;
    EXPECT_TRUE(llvm::errorToBool(heap->write(memory, text.data(), size)));
    auto copies = heap->copy_buffer();
    if (!copies)
      return 1;
    EXPECT_TRUE(llvm::errorToBool(copies->start_write(0, memory, size)));
    fake->results.erase("cuMemcpyHtoDAsync_v2");
    EXPECT_FALSE(bool(heap->write(memory, text.data(), size)));
    return 0;
  };
  ProgramOptions options;
  options.settings.heap_size = 64u << 20;
  llvm::Expected<int32_t> status = run(std::move(options));
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  EXPECT_EQ(*status, 0);
  EXPECT_THAT(fake->violations, testing::IsEmpty());
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

TEST_F(Cuda, StackGrowsWithFreeMemoryWhereItsDepthIsNotKnown) {
  // The fixture's program is PTX: nobody has computed its stack yet.
  fake->free_memory = size_t(6) << 30;
  ASSERT_TRUE(bool(run()));
  const size_t with_much = fake->stack;
  fake->free_memory = size_t(1) << 30;
  ASSERT_TRUE(bool(run()));
  EXPECT_GT(with_much, fake->stack);
  EXPECT_LE(with_much, 64u << 10);
  EXPECT_GE(fake->stack, 3072u);
}

TEST_F(Cuda, StackOfUnknownDepthIsWaitedForBeforeItShrinks) {
  fake->free_memory = size_t(6) << 30;
  fake->out_of_memory["cuCtxSetLimit"] = 8;
  memory_timeout = std::chrono::minutes(5);
  ASSERT_TRUE(bool(run()));
  EXPECT_EQ(fake->out_of_memory["cuCtxSetLimit"], 0);
  EXPECT_EQ(fake->stack, 8192u);
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
    fake->out_of_memory[name] = 9; // the stack is tried in seven sizes first
    llvm::Expected<int32_t> status = run();
    ASSERT_FALSE(bool(status)) << name;
    EXPECT_THAT(llvm::toString(status.takeError()), HasSubstr("out of memory"));
    SetUp();
    fake->out_of_memory[name] = 6;
    memory_timeout = std::chrono::minutes(5);
    status = run();
    ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
    EXPECT_EQ(fake->out_of_memory[name], 0) << name;
    EXPECT_EQ(fake->live_allocations, 0u) << name;
  }
}

} // namespace
