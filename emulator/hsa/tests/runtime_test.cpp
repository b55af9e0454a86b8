// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// System, agents, memory and signals: what needs no kernel.
#include "emulator/hsa/tests/hsa_test.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

TEST(HsaInit, CountsAndRefuses) {
  EXPECT_EQ(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
  uint16_t version;
  EXPECT_EQ(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &version),
            HSA_STATUS_ERROR_NOT_INITIALIZED);
  EXPECT_HSA(hsa_init());
  EXPECT_HSA(hsa_init());
  EXPECT_HSA(hsa_shut_down());
  EXPECT_HSA(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &version));
  EXPECT_EQ(version, 1);
  EXPECT_HSA(hsa_shut_down());
  EXPECT_EQ(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
}

static std::atomic<hsa_status_t> shut_down_status;
static std::atomic<int> calls_of_handler;

static bool wait_until_handler_was_called() {
  for (int i = 0; i < 5000 && !calls_of_handler; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return calls_of_handler != 0;
}

/// For a few tests: true as soon as the runtime's own thread has ended.
static bool events_thread_ends() {
  auto exists = [] {
    for (const auto &task :
         std::filesystem::directory_iterator("/proc/self/task")) {
      std::string name;
      std::getline(std::ifstream(task.path() / "comm"), name);
      if (name == "gpuexec-events")
        return true;
    }
    return false;
  };
  for (int i = 0; i < 5000; ++i) {
    if (!exists())
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

TEST(HsaInit, AHandlerMayShutDown) {
  for (bool stays : {false, true}) {
    SCOPED_TRACE(stays);
    shut_down_status = HSA_STATUS_ERROR;
    calls_of_handler = 0;
    ASSERT_HSA(hsa_init());
    hsa_signal_t signal;
    ASSERT_HSA(hsa_signal_create(0, 0, nullptr, &signal));
    ASSERT_HSA(hsa_amd_signal_async_handler(
        signal, HSA_SIGNAL_CONDITION_EQ, 0,
        [](hsa_signal_value_t, void *stays) {
          shut_down_status = hsa_shut_down();
          // The runtime that the handler has ended is gone for everyone.
          EXPECT_EQ(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
          ++calls_of_handler;
          return stays != nullptr;
        },
        stays ? &stays : nullptr));
    ASSERT_TRUE(wait_until_handler_was_called());
    EXPECT_HSA(shut_down_status);
    EXPECT_TRUE(events_thread_ends());
    EXPECT_EQ(calls_of_handler, 1);
  }
  EXPECT_EQ(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
}

TEST(HsaInit, AQueuesCallbackMayShutDown) {
  shut_down_status = HSA_STATUS_ERROR;
  ASSERT_HSA(hsa_init());
  hsa_agent_t gpu = {0};
  hsa_iterate_agents(
      [](hsa_agent_t agent, void *gpu) {
        hsa_device_type_t type;
        hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
        if (type == HSA_DEVICE_TYPE_GPU)
          *static_cast<hsa_agent_t *>(gpu) = agent;
        return HSA_STATUS_SUCCESS;
      },
      &gpu);
  hsa_queue_t *queue;
  ASSERT_HSA(hsa_queue_create(
      gpu, 64, HSA_QUEUE_TYPE_MULTI,
      [](hsa_status_t, hsa_queue_t *, void *) {
        shut_down_status = hsa_shut_down();
      },
      nullptr, 0, 0, &queue));
  const hsa_signal_t doorbell = queue->doorbell_signal;
  hsa_queue_add_write_index_screlease(queue, 1);
  *static_cast<uint32_t *>(queue->base_address) = 0x77; // no type of a packet
  hsa_signal_store_screlease(doorbell, 0);              // calls the callback
  EXPECT_HSA(shut_down_status);
  EXPECT_EQ(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
}

TEST(HsaInit, AHandlerMayUseTheApiWhileAnotherThreadShutsDown) {
  static std::atomic<bool> in_handler;
  in_handler = false;
  calls_of_handler = 0;
  ASSERT_HSA(hsa_init());
  ASSERT_HSA(hsa_amd_async_function(
      [](void *) {
        in_handler = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (hsa_init() == HSA_STATUS_SUCCESS)
          hsa_shut_down();
        ++calls_of_handler;
      },
      nullptr));
  while (!in_handler)
    std::this_thread::yield();
  EXPECT_HSA(hsa_shut_down());
  EXPECT_EQ(calls_of_handler, 1); // shutting down waits for it
}

TEST_F(Hsa, StatusTexts) {
  const char *text = nullptr;
  EXPECT_HSA(hsa_status_string(HSA_STATUS_ERROR_INVALID_AGENT, &text));
  EXPECT_THAT(text, testing::StartsWith("HSA_STATUS_ERROR_INVALID_AGENT: "));
  EXPECT_EQ(hsa_status_string(hsa_status_t(0x7777), &text),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_status_string(HSA_STATUS_SUCCESS, nullptr),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_F(Hsa, HandlesAreChecked) {
  uint32_t number;
  EXPECT_EQ(hsa_agent_get_info({0}, HSA_AGENT_INFO_NODE, &number),
            HSA_STATUS_ERROR_INVALID_AGENT);
  EXPECT_EQ(hsa_agent_get_info({77}, HSA_AGENT_INFO_NODE, &number),
            HSA_STATUS_ERROR_INVALID_AGENT);
  EXPECT_EQ(hsa_agent_get_info(gpu, hsa_agent_info_t(0x9999), &number),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_agent_get_info(gpu, HSA_AGENT_INFO_NODE, nullptr),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  void *memory;
  EXPECT_EQ(hsa_amd_memory_pool_allocate({5}, 4096, 0, &memory),
            HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  EXPECT_EQ(hsa_amd_memory_pool_allocate(fine, 0, 0, &memory),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_signal_destroy({0}), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_signal_destroy({64}), HSA_STATUS_ERROR_INVALID_SIGNAL);
  hsa_signal_t none = {64}, found;
  hsa_signal_condition_t condition = HSA_SIGNAL_CONDITION_EQ;
  hsa_signal_value_t value = 0;
  hsa_signal_group_t group;
  EXPECT_EQ(hsa_signal_group_create(1, &none, 0, nullptr, &group),
            HSA_STATUS_ERROR_INVALID_SIGNAL);
  for (uint64_t handle : {0, 64}) {
    EXPECT_EQ(hsa_signal_group_destroy({handle}),
              HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
    EXPECT_EQ(hsa_signal_group_wait_any_scacquire({handle}, &condition, &value,
                                                  HSA_WAIT_STATE_BLOCKED,
                                                  &found, &value),
              HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
  }
  hsa_queue_t *queue;
  EXPECT_EQ(hsa_queue_create(gpu, 63, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0,
                             0, &queue),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_queue_create(cpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0,
                             0, &queue),
            HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
  EXPECT_EQ(hsa_queue_destroy(nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_executable_destroy({3}), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
  EXPECT_EQ(hsa_code_object_reader_destroy({3}),
            HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
}

TEST_F(Hsa, AgentsAreWhatTheySay) {
  char name[64];
  ASSERT_HSA(hsa_agent_get_info(gpu, HSA_AGENT_INFO_NAME, name));
  EXPECT_STREQ(name, "gfx942");
  std::vector<std::string> isas;
  hsa_agent_iterate_isas(
      gpu,
      [](hsa_isa_t isa, void *data) {
        uint32_t length = 0;
        hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length);
        std::string text(length, 0);
        hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, text.data());
        static_cast<std::vector<std::string> *>(data)->push_back(text.c_str());
        return HSA_STATUS_SUCCESS;
      },
      &isas);
  EXPECT_THAT(isas, testing::ElementsAre(
                        "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-",
                        "amdgcn-amd-amdhsa--gfx9-4-generic:sramecc+:xnack-"));
  hsa_isa_t isa;
  EXPECT_HSA(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx90a", &isa));
  EXPECT_EQ(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx900", &isa),
            HSA_STATUS_ERROR_INVALID_ISA_NAME);
  // A callback's status ends the traversal and comes back.
  EXPECT_EQ(
      hsa_iterate_agents(
          [](hsa_agent_t, void *) { return HSA_STATUS_INFO_BREAK; }, nullptr),
      HSA_STATUS_INFO_BREAK);
}

TEST_F(Hsa, AllocationsAreKnownUntilTheyAreFreed) {
  char *memory = allocate<char>(coarse, 10000);
  ASSERT_TRUE(memory);
  EXPECT_HSA(hsa_amd_agents_allow_access(1, &gpu, nullptr, memory));
  hsa_amd_pointer_info_t info = {};
  info.size = sizeof(info);
  uint32_t count = 0;
  hsa_agent_t *accessible = nullptr;
  ASSERT_HSA(
      hsa_amd_pointer_info(memory + 9999, &info, malloc, &count, &accessible));
  EXPECT_EQ(info.type, HSA_EXT_POINTER_TYPE_HSA);
  EXPECT_EQ(info.agentBaseAddress, memory);
  EXPECT_EQ(info.sizeInBytes, 10000u);
  EXPECT_EQ(info.agentOwner.handle, gpu.handle);
  EXPECT_EQ(count, cpus.size() + gpus.size());
  free(accessible);
  EXPECT_HSA(hsa_amd_memory_pool_free(memory));
  EXPECT_EQ(hsa_amd_memory_pool_free(memory),
            HSA_STATUS_ERROR_INVALID_ALLOCATION);
  ASSERT_HSA(hsa_amd_pointer_info(memory, &info, nullptr, nullptr, nullptr));
  EXPECT_EQ(info.type, HSA_EXT_POINTER_TYPE_UNKNOWN);
  char byte = 0;
  EXPECT_EQ(hsa_memory_copy(memory, &byte, 1),
            HSA_STATUS_ERROR_INVALID_ARGUMENT); // freed: refused, not written
}

TEST_F(Hsa, AGpuHasARegionForKernelArguments) {
  hsa_region_t found = {0};
  hsa_status_t status = hsa_agent_iterate_regions(
      gpu,
      [](hsa_region_t region, void *data) {
        uint32_t flags = 0;
        hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
        if (!(flags & HSA_REGION_GLOBAL_FLAG_KERNARG))
          return HSA_STATUS_SUCCESS;
        *static_cast<hsa_region_t *>(data) = region;
        return HSA_STATUS_INFO_BREAK;
      },
      &found);
  EXPECT_EQ(status, HSA_STATUS_INFO_BREAK);
  void *memory = nullptr;
  ASSERT_HSA(hsa_memory_allocate(found, 100, &memory));
  EXPECT_HSA(hsa_memory_free(memory));
  EXPECT_EQ(hsa_memory_allocate({5}, 100, &memory),
            HSA_STATUS_ERROR_INVALID_REGION);
  // The host's are its own alone.
  hsa_agent_iterate_regions(
      cpu,
      [](hsa_region_t region, void *) {
        hsa_region_segment_t segment = HSA_REGION_SEGMENT_GROUP;
        EXPECT_HSA(
            hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment));
        EXPECT_EQ(segment, HSA_REGION_SEGMENT_GLOBAL);
        return HSA_STATUS_SUCCESS;
      },
      nullptr);
}

TEST_F(Hsa, TooMuchMemoryIsAnErrorAndLeavesNothing) {
  size_t size = 0;
  ASSERT_HSA(hsa_amd_memory_pool_get_info(coarse, HSA_AMD_MEMORY_POOL_INFO_SIZE,
                                          &size));
  void *memory = nullptr;
  EXPECT_EQ(hsa_amd_memory_pool_allocate(coarse, size + 4096, 0, &memory),
            HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  EXPECT_EQ(hsa_amd_memory_pool_allocate(coarse, SIZE_MAX, 0, &memory),
            HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  ASSERT_HSA(hsa_amd_memory_pool_allocate(coarse, size / 2, 0, &memory));
  void *second = nullptr;
  EXPECT_EQ(hsa_amd_memory_pool_allocate(coarse, size / 2 + 8192, 0, &second),
            HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  EXPECT_HSA(hsa_amd_memory_pool_free(memory));
  ASSERT_HSA(hsa_amd_memory_pool_allocate(coarse, size / 2 + 8192, 0, &second));
  EXPECT_HSA(hsa_amd_memory_pool_free(second));
  // Large allocations come on large pages.
  void *large = nullptr;
  ASSERT_HSA(hsa_amd_memory_pool_allocate(coarse, 3 << 20, 0, &large));
  EXPECT_EQ(reinterpret_cast<uint64_t>(large) % (2 << 20), 0u);
}

TEST_F(Hsa, CopiesAndFills) {
  std::vector<uint32_t> host(5000);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = uint32_t(i * 7);
  uint32_t *device = allocate<uint32_t>(coarse, host.size());
  ASSERT_HSA(hsa_memory_copy(device, host.data(), host.size() * 4));
  ASSERT_HSA(hsa_amd_memory_fill(device + 10, 0xabcd, 20));
  std::vector<uint32_t> back(host.size());
  hsa_signal_t done, gate;
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &done));
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &gate));
  ASSERT_HSA(hsa_amd_memory_async_copy(back.data(), cpu, device, gpu,
                                       back.size() * 4, 1, &gate, done));
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                      2'000'000, HSA_WAIT_STATE_BLOCKED),
            1); // waits for the gate
  EXPECT_EQ(back[1], 0u);
  hsa_signal_store_relaxed(gate, 0);
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                      UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
            0);
  for (size_t i = 0; i < host.size(); ++i)
    EXPECT_EQ(back[i], i >= 10 && i < 30 ? 0xabcd : host[i]);
  EXPECT_EQ(hsa_amd_memory_fill(reinterpret_cast<char *>(device) + 1, 0, 1),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_memory_copy(device, host.data(), 8 << 20),
            HSA_STATUS_ERROR_INVALID_ARGUMENT); // past the allocation's end
  hsa_signal_destroy(done);
  hsa_signal_destroy(gate);
}

// Younger than the header.
extern "C" hsa_status_t hsa_amd_memory_copy_engine_status(hsa_agent_t to,
                                                          hsa_agent_t from,
                                                          uint32_t *engines);
extern "C" hsa_status_t hsa_amd_memory_async_copy_on_engine(
    void *to, hsa_agent_t to_agent, const void *from, hsa_agent_t from_agent,
    size_t size, uint32_t count, const hsa_signal_t *awaited,
    hsa_signal_t completion, uint32_t engine, bool force);

TEST_F(Hsa, CopiesOnTheEnginesThatItNames) {
  uint32_t count = 0, engines = 0;
  const auto SDMA_ENGINES = hsa_agent_info_t(0xA10A);
  ASSERT_HSA(hsa_agent_get_info(gpu, SDMA_ENGINES, &count));
  ASSERT_HSA(hsa_amd_memory_copy_engine_status(cpu, gpu, &engines));
  EXPECT_EQ(unsigned(__builtin_popcount(engines)), count);
  ASSERT_HSA(hsa_amd_memory_copy_engine_status(gpu, cpu, &engines));
  EXPECT_EQ(hsa_amd_memory_copy_engine_status(gpu, gpu, &engines),
            HSA_STATUS_ERROR_INVALID_AGENT);
  EXPECT_EQ(hsa_amd_memory_copy_engine_status(gpu, cpu, nullptr),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  int *device = allocate<int>(coarse);
  int value = 5;
  hsa_signal_t done;
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &done));
  EXPECT_EQ(hsa_amd_memory_async_copy_on_engine(device, gpu, &value, cpu, 4, 0,
                                                nullptr, done, ~engines, false),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_signal_load_relaxed(done), 1);
  ASSERT_HSA(hsa_amd_memory_async_copy_on_engine(
      device, gpu, &value, cpu, 4, 0, nullptr, done, engines, false));
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                      UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
            0);
  EXPECT_EQ(*device, 5);
  hsa_signal_destroy(done);
}

TEST_F(Hsa, LockedMemoryMayOverlap) {
  std::vector<char> memory(3 * 4096 + 100);
  void *first = nullptr, *second = nullptr;
  ASSERT_HSA(hsa_amd_memory_lock(memory.data(), 8000, &gpu, 1, &first));
  ASSERT_HSA(
      hsa_amd_memory_lock(memory.data() + 4000, 8000, nullptr, 0, &second));
  EXPECT_EQ(first, memory.data());
  hsa_amd_pointer_info_t info = {};
  info.size = sizeof(info);
  ASSERT_HSA(hsa_amd_pointer_info(memory.data() + 100, &info, nullptr, nullptr,
                                  nullptr));
  EXPECT_EQ(info.type, HSA_EXT_POINTER_TYPE_LOCKED);
  EXPECT_HSA(hsa_amd_memory_unlock(first));
  ASSERT_HSA(hsa_amd_pointer_info(memory.data() + 100, &info, nullptr, nullptr,
                                  nullptr));
  EXPECT_EQ(info.type, HSA_EXT_POINTER_TYPE_UNKNOWN);
  EXPECT_HSA(hsa_amd_memory_fill(memory.data() + 4000 + 4, 1, 900)); // still
  EXPECT_HSA(hsa_amd_memory_unlock(second));
  EXPECT_EQ(hsa_amd_memory_unlock(second), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_F(Hsa, SignalOperations) {
  hsa_signal_t signal;
  ASSERT_HSA(hsa_signal_create(5, 0, nullptr, &signal));
  EXPECT_EQ(hsa_signal_load_relaxed(signal), 5);
  hsa_signal_add_relaxed(signal, 3);
  hsa_signal_subtract_screlease(signal, 1);
  hsa_signal_xor_acq_rel(signal, 1);
  hsa_signal_or_release(signal, 0x10);
  hsa_signal_and_scacq_screl(signal, 0x16);
  EXPECT_EQ(hsa_signal_load_scacquire(signal), 0x16);
  EXPECT_EQ(hsa_signal_exchange_acquire(signal, 1), 0x16);
  EXPECT_EQ(hsa_signal_cas_relaxed(signal, 2, 9), 1);
  EXPECT_EQ(hsa_signal_cas_relaxed(signal, 1, 9), 1);
  EXPECT_EQ(hsa_signal_load_acquire(signal), 9);
  hsa_signal_silent_store_relaxed(signal, 4);
  EXPECT_EQ(hsa_signal_load_acquire(signal), 4);
  volatile hsa_signal_value_t *pointer;
  ASSERT_HSA(hsa_amd_signal_value_pointer(signal, &pointer));
  EXPECT_EQ(*pointer, 4);
  EXPECT_HSA(hsa_signal_destroy(signal));
  EXPECT_EQ(hsa_signal_destroy(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
}

TEST_F(Hsa, WaitsSleepAndWake) {
  hsa_signal_t ping, pong;
  ASSERT_HSA(hsa_signal_create(0, 0, nullptr, &ping));
  ASSERT_HSA(hsa_signal_create(0, 0, nullptr, &pong));
  constexpr int ROUNDS = 300;
  std::thread other([&] {
    for (int i = 1; i <= ROUNDS; ++i) {
      hsa_signal_wait_scacquire(ping, HSA_SIGNAL_CONDITION_GTE, i, UINT64_MAX,
                                HSA_WAIT_STATE_BLOCKED);
      hsa_signal_add_screlease(pong, 1);
    }
  });
  for (int i = 1; i <= ROUNDS; ++i) {
    hsa_signal_add_screlease(ping, 1);
    EXPECT_GE(hsa_signal_wait_scacquire(pong, HSA_SIGNAL_CONDITION_GTE, i,
                                        UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
              i);
  }
  other.join();
  // A time limit, in ticks of 10 ns.
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(hsa_signal_wait_scacquire(ping, HSA_SIGNAL_CONDITION_LT, 0,
                                      3'000'000, HSA_WAIT_STATE_BLOCKED),
            ROUNDS);
  EXPECT_GE(std::chrono::steady_clock::now() - begin,
            std::chrono::milliseconds(29));
  // A change that nobody told of, as device code makes them, is seen too.
  volatile hsa_signal_value_t *value;
  ASSERT_HSA(hsa_amd_signal_value_pointer(pong, &value));
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    __atomic_store_n(const_cast<int64_t *>(value), -7, __ATOMIC_RELEASE);
  });
  EXPECT_EQ(hsa_signal_wait_scacquire(pong, HSA_SIGNAL_CONDITION_LT, 0,
                                      UINT64_MAX, HSA_WAIT_STATE_BLOCKED),
            -7);
  writer.join();
  hsa_signal_destroy(ping);
  hsa_signal_destroy(pong);
}

TEST_F(Hsa, WaitsForAnyOfSeveral) {
  hsa_signal_t signals[3];
  hsa_signal_condition_t conditions[3];
  hsa_signal_value_t values[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &signals[i]));
    conditions[i] = HSA_SIGNAL_CONDITION_EQ;
  }
  hsa_signal_value_t seen = 99;
  EXPECT_EQ(hsa_amd_signal_wait_any(3, signals, conditions, values, 1000,
                                    HSA_WAIT_STATE_BLOCKED, &seen),
            UINT32_MAX);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    hsa_signal_store_screlease(signals[2], 0);
  });
  EXPECT_EQ(hsa_amd_signal_wait_any(3, signals, conditions, values, UINT64_MAX,
                                    HSA_WAIT_STATE_BLOCKED, &seen),
            2u);
  EXPECT_EQ(seen, 0);
  other.join();
  for (hsa_signal_t signal : signals)
    hsa_signal_destroy(signal);
}

TEST_F(Hsa, WaitsForAGroup) {
  hsa_signal_t signals[2], found = {0};
  hsa_signal_condition_t conditions[2] = {HSA_SIGNAL_CONDITION_EQ,
                                          HSA_SIGNAL_CONDITION_EQ};
  hsa_signal_value_t values[2] = {0, 0}, seen = 99;
  ASSERT_HSA(hsa_signal_create(1, 0, nullptr, &signals[0]));
  ASSERT_HSA(hsa_signal_create(0, 0, nullptr, &signals[1]));
  hsa_signal_group_t group;
  ASSERT_HSA(hsa_signal_group_create(2, signals, 0, nullptr, &group));
  EXPECT_HSA(hsa_signal_group_wait_any_relaxed(
      group, conditions, values, HSA_WAIT_STATE_BLOCKED, &found, &seen));
  EXPECT_EQ(found.handle, signals[1].handle);
  EXPECT_EQ(seen, 0);
  hsa_signal_destroy(signals[1]);
  EXPECT_EQ(hsa_signal_group_wait_any_relaxed(group, conditions, values,
                                              HSA_WAIT_STATE_BLOCKED, &found,
                                              &seen),
            HSA_STATUS_ERROR_INVALID_SIGNAL);
  EXPECT_HSA(hsa_signal_group_destroy(group));
  EXPECT_EQ(hsa_signal_group_destroy(group),
            HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
  hsa_signal_destroy(signals[0]);
}

TEST_F(Hsa, AsyncHandlersAreCalledUntilTheyHaveEnough) {
  hsa_signal_t signal;
  ASSERT_HSA(hsa_signal_create(3, 0, nullptr, &signal));
  std::atomic<int> calls{0};
  struct Context {
    std::atomic<int> *calls;
    hsa_signal_t signal;
  } context = {&calls, signal};
  ASSERT_HSA(hsa_amd_signal_async_handler(
      signal, HSA_SIGNAL_CONDITION_LT, 3,
      [](hsa_signal_value_t value, void *data) {
        auto *context = static_cast<Context *>(data);
        EXPECT_LT(value, 3);
        hsa_signal_store_relaxed(context->signal, 3); // holds no longer
        return ++*context->calls < 2;
      },
      &context));
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(calls, 0);
  for (int round = 1; round <= 2; ++round) {
    hsa_signal_store_screlease(signal, 2);
    for (int i = 0; i < 5000 && calls < round; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(calls, round);
  }
  hsa_signal_store_screlease(signal, 1); // it has gone
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(calls, 2);
  hsa_signal_destroy(signal);
}

TEST_F(Hsa, OptionsAreChecked) {
  EXPECT_EQ(gpuexec_emulator_set_option("check", "everything"),
            GPUEXEC_EMULATOR_INVALID);
  EXPECT_EQ(gpuexec_emulator_set_option("threads", "0"),
            GPUEXEC_EMULATOR_INVALID);
  EXPECT_EQ(gpuexec_emulator_set_option("threads", "2x"),
            GPUEXEC_EMULATOR_INVALID);
  EXPECT_EQ(gpuexec_emulator_set_option("colour", "red"),
            GPUEXEC_EMULATOR_INVALID);
  EXPECT_EQ(gpuexec_emulator_set_option("check", "none"),
            GPUEXEC_EMULATOR_DONE);
  EXPECT_EQ(gpuexec_emulator_fault_report(), nullptr);
  EXPECT_EQ(gpuexec_emulator_where(nullptr, 0), 0u);
}
