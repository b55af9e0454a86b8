//===-- emulator/cuda/driver/hsa.cpp - See hsa.h --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/hsa.h"
#include "emulator/cuda/driver/own_folder.h"
#include "support/printable.h"

#include <cstring>
#include <sys/mman.h>

namespace gpuexec::cuda {

std::unique_ptr<Hsa> Hsa::open(const std::string &processor,
                               std::string &problem) {
  const std::string name = own_folder() + "/../libhsa-runtime64.so.1";
  void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    problem = reason ? reason : name + " cannot be opened";
    return nullptr;
  }
  auto hsa = std::make_unique<Hsa>();
  if (const char *missing = bind_functions(
          library, GPUEXEC_CUDA_HSA_FUNCTIONS(DRIVER_NAME), &hsa->api)) {
    problem = name + ": missing symbol '" + missing + "'";
    return nullptr;
  }
  void *report = dlsym(library, "gpuexec_emulator_fault_report");
  hsa->report = reinterpret_cast<decltype(hsa->report)>(report);
  void *written = dlsym(library, "gpuexec_emulator_written");
  hsa->written = reinterpret_cast<decltype(hsa->written)>(written);
  hsa->processor = processor;
  if (hsa->api.hsa_init() != HSA_STATUS_SUCCESS) {
    problem = name + ": hsa_init fails";
    return nullptr;
  }
  if (!hsa->find_agent(problem))
    return nullptr;
  return hsa;
}

bool Hsa::find_agent(std::string &problem) {
  api.hsa_iterate_agents(
      [](hsa_agent_t agent, void *data) {
        Hsa &self = *static_cast<Hsa *>(data);
        char name[64] = {}; // as the query documents
        self.api.hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name);
        if (self.processor != name)
          return HSA_STATUS_SUCCESS;
        self.agent = agent;
        return HSA_STATUS_INFO_BREAK;
      },
      this);
  if (!agent.handle || !find_pool()) {
    problem = "the emulator has no " + processor;
    return false;
  }
  auto ask = [&](hsa_amd_agent_info_t attribute, uint32_t &value) {
    api.hsa_agent_get_info(agent, hsa_agent_info_t(attribute), &value);
  };
  uint32_t lanes = 0;
  api.hsa_agent_get_info(agent, HSA_AGENT_INFO_WAVEFRONT_SIZE, &lanes);
  ask(HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, units);
  ask(HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY, clock_mhz);
  ask(HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU, waves_per_unit);
  if (lanes == 32)
    return true;
  problem = processor + " has no waves of 32 lanes";
  return false;
}

/// Takes the fine-grained pool of global memory.
bool Hsa::find_pool() {
  api.hsa_amd_agent_iterate_memory_pools(
      agent,
      [](hsa_amd_memory_pool_t pool, void *data) {
        Hsa &self = *static_cast<Hsa *>(data);
        hsa_amd_segment_t segment{};
        uint32_t flags = 0;
        size_t size = 0;
        auto ask = [&](hsa_amd_memory_pool_info_t attribute, void *value) {
          self.api.hsa_amd_memory_pool_get_info(pool, attribute, value);
        };
        ask(HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
        ask(HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
        ask(HSA_AMD_MEMORY_POOL_INFO_SIZE, &size);
        if (segment != HSA_AMD_SEGMENT_GLOBAL ||
            !(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED))
          return HSA_STATUS_SUCCESS;
        self.pool = pool;
        self.memory_size = size;
        return HSA_STATUS_INFO_BREAK;
      },
      this);
  return pool.handle != 0;
}

/// Asks for large pages: a program of CUDA mostly touches all that it
/// allocates, and the first touch of each small page costs the host more than
/// most kernels do with it. Where the kernel has none, nothing happens.
static void use_large_pages(void *memory, size_t size) {
  constexpr uint64_t LARGE = 2 << 20;
  const auto begin = reinterpret_cast<uint64_t>(memory);
  const uint64_t first = (begin + LARGE - 1) & ~(LARGE - 1);
  const uint64_t last = (begin + size) & ~(LARGE - 1);
  if (first < last)
    madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE);
}

void *Hsa::allocate(size_t size) const {
  void *memory = nullptr;
  if (api.hsa_amd_memory_pool_allocate(pool, size, 0, &memory) !=
      HSA_STATUS_SUCCESS)
    return nullptr;
  use_large_pages(memory, size);
  return memory;
}

void Hsa::free(void *memory) const { api.hsa_amd_memory_pool_free(memory); }

bool Hsa::lock(void *memory, size_t size) const {
  void *device_address = nullptr;
  hsa_agent_t all = agent;
  return api.hsa_amd_memory_lock(memory, size, &all, 1, &device_address) ==
         HSA_STATUS_SUCCESS;
}

bool Hsa::unlock(void *memory) const {
  return api.hsa_amd_memory_unlock(memory) == HSA_STATUS_SUCCESS;
}

bool Hsa::copy(void *to, const void *from, size_t size) const {
  return !size || api.hsa_memory_copy(to, from, size) == HSA_STATUS_SUCCESS;
}

DeviceRange Hsa::find(const void *address) const {
  hsa_amd_pointer_info_t info{};
  info.size = sizeof(info);
  if (!address ||
      api.hsa_amd_pointer_info(address, &info, nullptr, nullptr, nullptr) !=
          HSA_STATUS_SUCCESS ||
      info.type == HSA_EXT_POINTER_TYPE_UNKNOWN)
    return {};
  return {reinterpret_cast<uint64_t>(info.agentBaseAddress), info.sizeInBytes};
}

std::string Hsa::fault_report() const {
  const char *text = report ? report() : nullptr;
  return text ? printable_lines(text) : "";
}

} // namespace gpuexec::cuda
