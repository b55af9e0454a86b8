//===-- emulator/hsa/tests/hsa_test.h - An HSA client in tests --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_HSA_TESTS_HSA_TEST_H
#define GPUEXEC_EMULATOR_HSA_TESTS_HSA_TEST_H

#include "emulator/include/gpuexec_emulator.h"

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <vector>

#define ASSERT_HSA(CALL) ASSERT_EQ(CALL, HSA_STATUS_SUCCESS)
#define EXPECT_HSA(CALL) EXPECT_EQ(CALL, HSA_STATUS_SUCCESS)

/// Initialised runtime, the first GPU and its pools.
class Hsa : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_HSA(hsa_init());
    hsa_iterate_agents(
        [](hsa_agent_t agent, void *data) {
          auto *self = static_cast<Hsa *>(data);
          hsa_device_type_t type;
          hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
          (type == HSA_DEVICE_TYPE_GPU ? self->gpus : self->cpus)
              .push_back(agent);
          return HSA_STATUS_SUCCESS;
        },
        this);
    ASSERT_FALSE(gpus.empty());
    ASSERT_FALSE(cpus.empty());
    gpu = gpus[0];
    cpu = cpus[0];
    kernarg = pool(cpu, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT);
    fine = pool(cpu, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
    coarse = pool(gpu, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
  }
  void TearDown() override {
    EXPECT_HSA(hsa_shut_down());
    EXPECT_EQ(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
  }

  static hsa_amd_memory_pool_t pool(hsa_agent_t agent, uint32_t wanted) {
    struct Search {
      uint32_t wanted;
      hsa_amd_memory_pool_t found;
    } search = {wanted, {0}};
    hsa_amd_agent_iterate_memory_pools(
        agent,
        [](hsa_amd_memory_pool_t pool, void *data) {
          auto *search = static_cast<Search *>(data);
          hsa_amd_segment_t segment;
          uint32_t flags = 0;
          hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT,
                                       &segment);
          hsa_amd_memory_pool_get_info(
              pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
          if (segment == HSA_AMD_SEGMENT_GLOBAL && (flags & search->wanted) &&
              !search->found.handle)
            search->found = pool;
          return HSA_STATUS_SUCCESS;
        },
        &search);
    return search.found;
  }

  template <typename T>
  T *allocate(hsa_amd_memory_pool_t from, size_t count = 1) {
    void *memory = nullptr;
    EXPECT_EQ(hsa_amd_memory_pool_allocate(from, count * sizeof(T), 0, &memory),
              HSA_STATUS_SUCCESS);
    return static_cast<T *>(memory);
  }

  std::vector<hsa_agent_t> gpus, cpus;
  hsa_agent_t gpu = {0}, cpu = {0};
  hsa_amd_memory_pool_t kernarg = {0}, fine = {0}, coarse = {0};
};

/// With the test kernels loaded, and a queue whose errors are noted.
class HsaKernels : public Hsa {
protected:
  void SetUp() override {
    Hsa::SetUp();
    std::ifstream file(TEST_KERNELS, std::ios::binary);
    image.assign(std::istreambuf_iterator<char>(file), {});
    ASSERT_FALSE(image.empty());
    make_queue();
  }
  void TearDown() override {
    if (queue) {
      EXPECT_HSA(hsa_queue_destroy(queue));
    }
    if (executable.handle) {
      EXPECT_HSA(hsa_executable_destroy(executable));
    }
    Hsa::TearDown();
  }

  void make_queue() {
    ASSERT_HSA(hsa_queue_create(
        gpu, 64, HSA_QUEUE_TYPE_MULTI,
        [](hsa_status_t status, hsa_queue_t *, void *data) {
          auto *self = static_cast<HsaKernels *>(data);
          std::lock_guard guard(self->lock);
          self->errors.push_back(status);
        },
        this, UINT32_MAX, UINT32_MAX, &queue));
  }

  hsa_status_t load(hsa_agent_t agent, const std::vector<char> &bytes) {
    hsa_code_object_reader_t reader;
    EXPECT_HSA(hsa_code_object_reader_create_from_memory(
        bytes.data(), bytes.size(), &reader));
    hsa_status_t status = hsa_executable_load_agent_code_object(
        executable, agent, reader, nullptr, nullptr);
    EXPECT_HSA(hsa_code_object_reader_destroy(reader));
    return status;
  }

  void load_kernels() {
    ASSERT_HSA(hsa_executable_create_alt(HSA_PROFILE_BASE,
                                         HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
                                         nullptr, &executable));
    ASSERT_HSA(load(gpu, image));
    ASSERT_HSA(hsa_executable_freeze(executable, nullptr));
  }

  template <typename T>
  T info(const char *name, hsa_executable_symbol_info_t attribute) {
    hsa_executable_symbol_t symbol;
    EXPECT_EQ(
        hsa_executable_get_symbol_by_name(executable, name, &gpu, &symbol),
        HSA_STATUS_SUCCESS)
        << name;
    T value = {};
    EXPECT_HSA(hsa_executable_symbol_get_info(symbol, attribute, &value));
    return value;
  }

  hsa_kernel_dispatch_packet_t packet(const std::string &kernel,
                                      uint32_t threads, uint32_t blocks,
                                      std::vector<uint64_t> arguments,
                                      hsa_signal_t completion) {
    std::string name = kernel + ".kd";
    uint32_t size = info<uint32_t>(
        name.c_str(), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE);
    auto *memory = allocate<uint64_t>(
        kernarg, std::max<size_t>(size / 8 + 1, arguments.size()));
    std::copy(arguments.begin(), arguments.end(), memory);
    // The implicit arguments that the kernels use: block counts and sizes.
    auto *hidden = reinterpret_cast<char *>(memory) + arguments.size() * 8;
    if (size >= arguments.size() * 8 + 18) {
      uint32_t counts[3] = {blocks, 1, 1};
      uint16_t sizes[3] = {uint16_t(threads), 1, 1};
      memcpy(hidden, counts, sizeof(counts));
      memcpy(hidden + 12, sizes, sizeof(sizes));
    }
    hsa_kernel_dispatch_packet_t made = {};
    made.setup = 1;
    made.workgroup_size_x = uint16_t(threads);
    made.workgroup_size_y = made.workgroup_size_z = 1;
    made.grid_size_x = threads * blocks;
    made.grid_size_y = made.grid_size_z = 1;
    made.private_segment_size = info<uint32_t>(
        name.c_str(), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE);
    made.group_segment_size = info<uint32_t>(
        name.c_str(), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE);
    made.kernel_object =
        info<uint64_t>(name.c_str(), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    made.kernarg_address = memory;
    made.completion_signal = completion;
    return made;
  }

  /// Writes a packet's body, then its header, and rings.
  template <typename Packet>
  void submit(Packet body, hsa_packet_type_t type, bool barrier = true) {
    static_assert(sizeof(Packet) == 64);
    uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
    while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size)
      ;
    char *slot =
        static_cast<char *>(queue->base_address) + index % queue->size * 64;
    memcpy(slot + 4, reinterpret_cast<char *>(&body) + 4, 60);
    uint16_t setup;
    memcpy(&setup, reinterpret_cast<char *>(&body) + 2, 2);
    uint32_t header =
        uint32_t(type) | uint32_t(barrier) << HSA_PACKET_HEADER_BARRIER |
        HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
        HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE |
        uint32_t(setup) << 16;
    __atomic_store_n(reinterpret_cast<uint32_t *>(slot), header,
                     __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, int64_t(index));
  }

  /// Runs a kernel to its end; the signal's value after at most 60 seconds, or
  /// when the queue met an error.
  int64_t run(const std::string &kernel, uint32_t threads, uint32_t blocks,
              std::vector<uint64_t> arguments) {
    hsa_signal_t done;
    EXPECT_HSA(hsa_signal_create(1, 0, nullptr, &done));
    submit(packet(kernel, threads, blocks, std::move(arguments), done),
           HSA_PACKET_TYPE_KERNEL_DISPATCH);
    int64_t value = 1;
    for (int i = 0; i < 600 && value && failures().empty(); ++i)
      value = hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0,
                                        10'000'000, HSA_WAIT_STATE_BLOCKED);
    if (!value)
      hsa_signal_destroy(done);
    return value;
  }

  std::vector<hsa_status_t> failures() {
    std::lock_guard guard(lock);
    return errors;
  }
  static std::string report() {
    const char *text = gpuexec_emulator_fault_report();
    return text ? text : "";
  }
  template <typename T> static uint64_t bits(T *pointer) {
    return reinterpret_cast<uint64_t>(pointer);
  }

  std::vector<char> image;
  hsa_executable_t executable = {0};
  hsa_queue_t *queue = nullptr;
  std::mutex lock;
  std::vector<hsa_status_t> errors;
};

#endif // GPUEXEC_EMULATOR_HSA_TESTS_HSA_TEST_H
