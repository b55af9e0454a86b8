// Executables, queues and faults, with kernels compiled for gfx942.
#include "emulator/hsa/tests/hsa_test.h"

#include <hsa/hsa_ven_amd_loader.h>

#include <chrono>
#include <thread>

using testing::HasSubstr;

TEST_F(HsaKernels, RunsAGrid) {
  load_kernels();
  constexpr uint32_t THREADS = 200, BLOCKS = 50;
  uint32_t *data = allocate<uint32_t>(coarse, THREADS * BLOCKS);
  EXPECT_EQ(run("fill", THREADS, BLOCKS, {bits(data), 1000}), 0);
  for (uint32_t i = 0; i < THREADS * BLOCKS; ++i)
    ASSERT_EQ(data[i], 1000 + i);
  EXPECT_TRUE(failures().empty());
}

TEST_F(HsaKernels, BarriersAndTheGroupSegment) {
  load_kernels();
  constexpr uint32_t THREADS = 256, BLOCKS = 20;
  uint32_t *data = allocate<uint32_t>(coarse, THREADS * BLOCKS);
  for (uint32_t i = 0; i < THREADS * BLOCKS; ++i)
    data[i] = i;
  EXPECT_EQ(run("reverse", THREADS, BLOCKS, {bits(data)}), 0);
  for (uint32_t i = 0; i < THREADS * BLOCKS; ++i)
    ASSERT_EQ(data[i], i / THREADS * THREADS + (THREADS - 1 - i % THREADS));
}

TEST_F(HsaKernels, AMillionBlocks) {
  load_kernels();
  uint64_t *count = allocate<uint64_t>(coarse);
  EXPECT_EQ(run("count_up", 1, 1'000'000, {bits(count)}), 0);
  EXPECT_EQ(*count, 1'000'000u);
}

// Every block waits for one with a higher number, in a loop without a pause.
TEST_F(HsaKernels, BlocksWaitForLaterBlocks) {
  load_kernels();
  uint32_t *turn = allocate<uint32_t>(fine);
  *turn = 100;
  EXPECT_EQ(run("chain", 1, 100, {bits(turn)}), 0);
  EXPECT_EQ(*turn, 0u);
}

TEST_F(HsaKernels, KernelAndHostWaitForEachOther) {
  load_kernels();
  auto *flag = allocate<uint32_t>(fine, 2);
  hsa_signal_t done;
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &done));
  submit(packet("wait_for_host", 64, 3, {bits(flag)}, done),
         HSA_PACKET_TYPE_KERNEL_DISPATCH);
  while (__atomic_load_n(&flag[1], __ATOMIC_SEQ_CST) != 3 * 64)
    std::this_thread::yield();
  // Where are they? In the kernel's loop.
  std::string text(gpuexec_emulator_where(nullptr, 0) + 1, 0);
  gpuexec_emulator_where(text.data(), text.size());
  EXPECT_THAT(text, HasSubstr("kernel wait_for_host, block ("));
  EXPECT_THAT(text, HasSubstr("in wait_for_host"));
  EXPECT_THAT(text, HasSubstr("kernels.c:"));
  EXPECT_EQ(hsa_signal_load_relaxed(done), 1);
  __atomic_store_n(&flag[0], 1, __ATOMIC_SEQ_CST);
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                      UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
            0);
  hsa_signal_destroy(done);
}

TEST_F(HsaKernels, GlobalsAndRelocations) {
  ASSERT_HSA(hsa_executable_create_alt(HSA_PROFILE_BASE,
                                       HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
                                       nullptr, &executable));
  int *mine = allocate<int>(fine);
  *mine = 77;
  ASSERT_HSA(hsa_executable_agent_global_variable_define(executable, gpu,
                                                         "from_host", mine));
  ASSERT_HSA(load(gpu, image));
  ASSERT_HSA(hsa_executable_freeze(executable, nullptr));
  EXPECT_EQ(hsa_executable_freeze(executable, nullptr),
            HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  int *out = allocate<int>(fine, 3);
  EXPECT_EQ(run("use_globals", 1, 1, {bits(out)}), 0);
  EXPECT_EQ(out[0], 41);
  EXPECT_EQ(out[1], 4);
  EXPECT_EQ(out[2], 77);
  uint64_t counter =
      info<uint64_t>("counter", HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
  EXPECT_EQ(*reinterpret_cast<int *>(counter), 41);
  EXPECT_EQ(info<uint32_t>("counter", HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE),
            4u);
  EXPECT_TRUE(
      info<bool>("table", HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST));
  EXPECT_EQ(info<hsa_symbol_kind_t>("fill.kd", HSA_EXECUTABLE_SYMBOL_INFO_TYPE),
            HSA_SYMBOL_KIND_KERNEL);
  EXPECT_EQ(
      info<uint32_t>("reverse.kd",
                     HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE),
      1024u);
  hsa_executable_symbol_t symbol;
  EXPECT_EQ(
      hsa_executable_get_symbol_by_name(executable, "nothing", &gpu, &symbol),
      HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
  EXPECT_EQ(hsa_executable_get_symbol_by_name(executable, "fill.kd", &gpus[1],
                                              &symbol),
            HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
}

TEST_F(HsaKernels, CodeObjectsForOthersAreRefused) {
  ASSERT_HSA(hsa_executable_create_alt(HSA_PROFILE_BASE,
                                       HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
                                       nullptr, &executable));
  EXPECT_EQ(load(gpus[1], image), HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
  EXPECT_THAT(report(), HasSubstr("made for gfx942, the agent is gfx90a"));
  EXPECT_EQ(load(cpu, image), HSA_STATUS_ERROR_INVALID_AGENT);
}

// Cut anywhere, or with any byte of its headers wrong: an error or a sound
// load, no crash.
TEST_F(HsaKernels, BrokenCodeObjects) {
  auto attempt = [&](const std::vector<char> &bytes) {
    hsa_executable_t attempted;
    EXPECT_HSA(hsa_executable_create_alt(HSA_PROFILE_BASE,
                                         HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
                                         nullptr, &attempted));
    std::swap(attempted, executable);
    hsa_status_t status = load(gpu, bytes);
    std::swap(attempted, executable);
    EXPECT_HSA(hsa_executable_destroy(attempted));
    return status;
  };
  EXPECT_EQ(attempt(std::vector<char>(100, 'x')),
            HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  for (size_t size = 1; size < image.size(); size += size < 1000 ? 7 : 211)
    attempt({image.begin(), image.begin() + ptrdiff_t(size)});
  for (size_t at = 0; at < 64 + 9 * 56; ++at)
    for (int wrong : {0x00, 0xff, 0x80}) {
      std::vector<char> bytes = image;
      bytes[at] = char(wrong);
      attempt(bytes);
    }
}

TEST_F(HsaKernels, BarrierPacketsWaitForTheirSignals) {
  load_kernels();
  hsa_signal_t gates[2], done;
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &gates[0]));
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &gates[1]));
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &done));
  uint32_t *data = allocate<uint32_t>(fine, 64);
  hsa_barrier_and_packet_t barrier = {};
  barrier.dep_signal[0] = gates[0];
  barrier.dep_signal[3] = gates[1];
  submit(barrier, HSA_PACKET_TYPE_BARRIER_AND);
  submit(packet("fill", 64, 1, {bits(data), 5}, done),
         HSA_PACKET_TYPE_KERNEL_DISPATCH);
  hsa_signal_store_relaxed(gates[1], 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(hsa_signal_load_relaxed(done), 1);
  hsa_signal_store_relaxed(gates[0], 0);
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                      UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
            0);
  EXPECT_EQ(data[63], 68u);
  // OR: one is enough.
  hsa_signal_store_relaxed(gates[0], 1);
  hsa_signal_store_relaxed(gates[1], 1);
  hsa_signal_store_relaxed(done, 1);
  hsa_barrier_or_packet_t either = {};
  either.dep_signal[0] = gates[0];
  either.dep_signal[1] = gates[1];
  either.completion_signal = done;
  submit(either, HSA_PACKET_TYPE_BARRIER_OR);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(hsa_signal_load_relaxed(done), 1);
  hsa_signal_store_relaxed(gates[1], 0);
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                      UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
            0);
  hsa_signal_destroy(gates[0]);
  hsa_signal_destroy(gates[1]);
  hsa_signal_destroy(done);
}

TEST_F(HsaKernels, TheQueueWrapsAndKeepsOrder) {
  load_kernels();
  uint32_t *data = allocate<uint32_t>(fine, 64);
  hsa_signal_t done;
  constexpr int PACKETS = 300; // of 64 slots
  ASSERT_HSA(hsa_signal_create(PACKETS, 0, nullptr, &done));
  for (int i = 0; i < PACKETS; ++i)
    submit(packet("fill", 64, 1, {bits(data), uint64_t(i)}, done),
           HSA_PACKET_TYPE_KERNEL_DISPATCH);
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                      UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
            0);
  EXPECT_EQ(data[0], uint32_t(PACKETS - 1)); // barrier bits: the last one won
  EXPECT_EQ(hsa_queue_load_read_index_scacquire(queue), uint64_t(PACKETS));
  hsa_signal_destroy(done);
}

TEST_F(HsaKernels, BadPacketsAreErrors) {
  load_kernels();
  auto good = packet("fill", 64, 1, {0, 0}, {0});
  auto expect = [&](auto body, hsa_packet_type_t type, hsa_status_t status,
                    const char *why) {
    submit(body, type);
    for (int i = 0; i < 1000 && failures().empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_THAT(failures(), testing::ElementsAre(status)) << why;
    EXPECT_THAT(report(), HasSubstr(why));
    errors.clear();
    ASSERT_HSA(hsa_queue_destroy(queue));
    make_queue();
  };
  auto bad = good;
  bad.kernel_object = bits(this);
  expect(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH,
         HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "kernel object is no kernel");
  bad = good;
  bad.workgroup_size_x = 2000;
  expect(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH,
         HSA_STATUS_ERROR_INVALID_ARGUMENT, "a block of 2000 threads");
  bad = good;
  bad.grid_size_x = 0;
  expect(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH,
         HSA_STATUS_ERROR_INVALID_ARGUMENT, "a grid or block size is zero");
  bad = good;
  bad.setup = 0;
  expect(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH,
         HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "no dimensions");
  bad = good;
  bad.group_segment_size = 65537;
  expect(bad, HSA_PACKET_TYPE_KERNEL_DISPATCH,
         HSA_STATUS_ERROR_OUT_OF_RESOURCES, "65537 bytes of group segment");
  expect(good, hsa_packet_type_t(9), HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
         "unknown packet type 9");
}

TEST_F(HsaKernels, EndlessKernelsEndWithTheirQueue) {
  load_kernels();
  hsa_signal_t done;
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &done));
  submit(packet("endless", 64, 100, {}, done), HSA_PACKET_TYPE_KERNEL_DISPATCH);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_HSA(hsa_queue_destroy(queue));
  queue = nullptr;
  EXPECT_EQ(hsa_signal_load_relaxed(done), 1); // it did not complete
  hsa_signal_destroy(done);
}

TEST_F(HsaKernels, ShutDownEndsWhatRuns) {
  load_kernels();
  submit(packet("endless", 64, 100, {}, {0}), HSA_PACKET_TYPE_KERNEL_DISPATCH);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  queue = nullptr; // TearDown shuts down with all of it open
  executable = {0};
}

// A process may end with a kernel running, from any thread.
TEST_F(HsaKernels, ExitWhileAKernelRuns) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto begin = [&] {
    load_kernels();
    submit(packet("endless", 64, 100, {}, {0}),
           HSA_PACKET_TYPE_KERNEL_DISPATCH);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  EXPECT_EXIT(
      {
        begin();
        exit(7);
      },
      testing::ExitedWithCode(7), "");
  EXPECT_EXIT(
      {
        begin();
        std::thread([] { exit(8); }).join();
      },
      testing::ExitedWithCode(8), "");
}

static unsigned line_of(const char *mark) {
  std::ifstream file(TEST_KERNELS_SOURCE);
  std::string line;
  for (unsigned number = 1; std::getline(file, line); ++number)
    if (line.find(std::string("// ") + mark) != std::string::npos)
      return number;
  return 0;
}

TEST_F(HsaKernels, AFaultSaysEverything) {
  load_kernels();
  struct Seen {
    int count = 0;
    uint64_t address = 0;
  };
  static Seen seen;
  seen = {};
  ASSERT_HSA(hsa_amd_register_system_event_handler(
      [](const hsa_amd_event_t *event, void *) {
        EXPECT_EQ(event->event_type, HSA_AMD_GPU_MEMORY_FAULT_EVENT);
        ++seen.count;
        seen.address = event->memory_fault.virtual_address;
        return HSA_STATUS_SUCCESS;
      },
      nullptr));
  int *memory = allocate<int>(coarse, 10);
  EXPECT_EQ(run("store", 64, 4, {bits(memory + 12), 130}), 1);
  for (int i = 0; i < 1000 && failures().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_THAT(failures(), testing::ElementsAre(HSA_STATUS_ERROR_MEMORY_FAULT));
  EXPECT_EQ(seen.count, 1);
  EXPECT_EQ(seen.address, bits(memory + 12));
  std::string where = "kernels.c:" + std::to_string(line_of("fault_line"));
  EXPECT_THAT(report(),
              testing::AllOf(HasSubstr("write of 4 bytes: unmapped memory"),
                             HasSubstr("8 bytes past the end of allocation"),
                             HasSubstr("(40 bytes of device memory"),
                             HasSubstr("kernel store, block (2,0,0), wave 0, "
                                       "thread (2,0,0)"),
                             HasSubstr("_store_dword"), HasSubstr("store_deep"),
                             HasSubstr(where)));
}

TEST_F(HsaKernels, FaultsOfAllKinds) {
  load_kernels();
  int *freed = allocate<int>(coarse, 1024);
  ASSERT_HSA(hsa_amd_memory_pool_free(freed));
  hsa_amd_register_system_event_handler(
      [](const hsa_amd_event_t *, void *) { return HSA_STATUS_SUCCESS; },
      nullptr);
  auto expect = [&](const char *kernel, std::vector<uint64_t> arguments,
                    int status, const char *text) {
    EXPECT_EQ(run(kernel, 64, 1, std::move(arguments)), 1);
    for (int i = 0; i < 1000 && failures().empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_THAT(failures(), testing::ElementsAre(hsa_status_t(status)));
    EXPECT_THAT(report(), HasSubstr(text));
    errors.clear();
    ASSERT_HSA(hsa_queue_destroy(queue));
    make_queue();
  };
  expect("store", {bits(freed + 5), 0}, HSA_STATUS_ERROR_MEMORY_FAULT,
         "it was byte 20 of allocation");
  expect("store", {0, 3}, HSA_STATUS_ERROR_MEMORY_FAULT, "null page");
  expect("store", {bits(this), 3}, HSA_STATUS_ERROR_MEMORY_FAULT, "unmapped");
  uint64_t table =
      info<uint64_t>("table", HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
  expect("store", {table, 3}, HSA_STATUS_ERROR_MEMORY_FAULT,
         "write to read-only memory");
  expect("trap", {}, HSA_STATUS_ERROR_EXCEPTION, "trap");
  // The next queue works.
  uint32_t *data = allocate<uint32_t>(fine, 64);
  EXPECT_EQ(run("fill", 64, 1, {bits(data), 1}), 0);
}

TEST_F(HsaKernels, NeverWrittenMemoryIsToldWhenAsked) {
  ASSERT_HSA(gpuexec_emulator_set_option("check", "uninit"));
  load_kernels();
  hsa_amd_register_system_event_handler(
      [](const hsa_amd_event_t *, void *) { return HSA_STATUS_SUCCESS; },
      nullptr);
  uint32_t *data = allocate<uint32_t>(coarse, 128);
  uint32_t *out = allocate<uint32_t>(coarse);
  EXPECT_EQ(run("fill", 64, 1, {bits(data), 1}), 0);
  EXPECT_EQ(run("sum", 1, 1, {bits(data), 64, bits(out)}), 0);
  EXPECT_EQ(*out, 64u * 65 / 2);
  std::vector<uint32_t> host(16, 1);
  ASSERT_HSA(hsa_memory_copy(data + 64, host.data(), 64));
  EXPECT_EQ(run("sum", 1, 1, {bits(data), 80, bits(out)}), 0);
  EXPECT_EQ(run("sum", 1, 1, {bits(data), 81, bits(out)}), 1);
  EXPECT_THAT(report(), HasSubstr("read of uninitialized memory"));
  EXPECT_HSA(gpuexec_emulator_set_option("check", "none"));
}

TEST_F(HsaKernels, CountsWhatRan) {
  ASSERT_HSA(gpuexec_emulator_set_option("stats", "on"));
  load_kernels();
  uint32_t *data = allocate<uint32_t>(coarse, 6400);
  EXPECT_EQ(run("fill", 64, 100, {bits(data), 1}), 0);
  EXPECT_EQ(run("reverse", 128, 50, {bits(data)}), 0);
  std::string text(gpuexec_emulator_stats(nullptr, 0, 1) + 1, 0);
  gpuexec_emulator_stats(text.data(), text.size(), 1);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("\"kernel\": \"fill\""),
                                   HasSubstr("\"threads\": 6400"),
                                   HasSubstr("\"bytes_written\": 25600"),
                                   HasSubstr("\"active_lane_ratio\": 1"),
                                   HasSubstr("\"barriers\": 100")));
  EXPECT_HSA(gpuexec_emulator_set_option("stats", "off"));
}

TEST_F(HsaKernels, LoaderExtension) {
  load_kernels();
  hsa_ven_amd_loader_1_03_pfn_t loader;
  ASSERT_HSA(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1,
                                                  sizeof(loader), &loader));
  uint64_t object =
      info<uint64_t>("fill.kd", HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
  const void *host = nullptr;
  ASSERT_HSA(loader.hsa_ven_amd_loader_query_host_address(
      reinterpret_cast<void *>(object), &host));
  EXPECT_GE(host, image.data());
  EXPECT_LT(host, image.data() + image.size());
  EXPECT_EQ(memcmp(host, reinterpret_cast<void *>(object), 64), 0);
  hsa_executable_t owner;
  ASSERT_HSA(loader.hsa_ven_amd_loader_query_executable(
      reinterpret_cast<void *>(object), &owner));
  EXPECT_EQ(owner.handle, executable.handle);
  size_t count = 0;
  ASSERT_HSA(
      loader.hsa_ven_amd_loader_query_segment_descriptors(nullptr, &count));
  EXPECT_GE(count, 3u);
}
