//===-- emulator/cuda/driver/hsa.h - The device below -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuexec's HSA runtime, opened at run time, and one agent of it with waves of
// 32 lanes: what the CUDA device consists of. Host and device share addresses.
// Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_HSA_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_HSA_H

#include "drivers/hsa.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace gpuexec::cuda {

#define GPUEXEC_CUDA_HSA_FUNCTIONS(F)                                          \
  F(hsa_init)                                                                  \
  F(hsa_status_string)                                                         \
  F(hsa_iterate_agents)                                                        \
  F(hsa_agent_get_info)                                                        \
  F(hsa_queue_create)                                                          \
  F(hsa_queue_destroy)                                                         \
  F(hsa_queue_add_write_index_relaxed)                                         \
  F(hsa_signal_create)                                                         \
  F(hsa_signal_destroy)                                                        \
  F(hsa_signal_store_relaxed)                                                  \
  F(hsa_signal_store_screlease)                                                \
  F(hsa_signal_wait_scacquire)                                                 \
  F(hsa_memory_copy)                                                           \
  F(hsa_code_object_reader_create_from_memory)                                 \
  F(hsa_code_object_reader_destroy)                                            \
  F(hsa_executable_create_alt)                                                 \
  F(hsa_executable_load_agent_code_object)                                     \
  F(hsa_executable_freeze)                                                     \
  F(hsa_executable_destroy)                                                    \
  F(hsa_executable_get_symbol_by_name)                                         \
  F(hsa_executable_symbol_get_info)                                            \
  F(hsa_amd_agent_iterate_memory_pools)                                        \
  F(hsa_amd_memory_pool_get_info)                                              \
  F(hsa_amd_memory_pool_allocate)                                              \
  F(hsa_amd_memory_pool_free)                                                  \
  F(hsa_amd_memory_lock)                                                       \
  F(hsa_amd_memory_unlock)                                                     \
  F(hsa_amd_pointer_info)

struct HsaApi {
  GPUEXEC_CUDA_HSA_FUNCTIONS(DRIVER_MEMBER)
};

/// A range of memory that the device can reach.
struct DeviceRange {
  uint64_t begin = 0, size = 0;
};

class Hsa {
public:
  /// Opens the runtime beside this library and looks for the processor. Null,
  /// with a reason in `problem`, when there is none.
  static std::unique_ptr<Hsa> open(const std::string &processor,
                                   std::string &problem);

  /// Zeroed memory that host and device reach at one address; null when there
  /// is no more. Aligned to a page.
  void *allocate(size_t size) const;
  void free(void *memory) const;
  /// Makes the host's own memory visible to the device.
  bool lock(void *memory, size_t size) const;
  bool unlock(void *memory) const;
  /// Copies; false when one of the ranges leaves memory that the device
  /// reaches, where it begins in it.
  bool copy(void *to, const void *from, size_t size) const;
  /// The host has written to the range by itself.
  void wrote(void *memory, size_t size) const {
    if (written)
      written(memory, size);
  }
  /// The allocation, lock or variable that holds the address; size 0: none.
  DeviceRange find(const void *address) const;
  /// What gpuexec prints of the last fault; "" when there is nothing.
  std::string fault_report() const;

  /// The functions; the agent and its pool for arguments of kernels.
  HsaApi api;
  hsa_agent_t agent{};
  uint64_t memory_size = 0; ///< bytes of the device's pool
  uint32_t units = 0;       ///< compute units
  uint32_t clock_mhz = 0;
  uint32_t waves_per_unit = 0;
  std::string processor;

private:
  bool find_agent(std::string &problem);
  bool find_pool();
  hsa_amd_memory_pool_t pool{};
  // The emulator's own (gpuexec_emulator.h); null on another runtime.
  const char *(*report)() = nullptr;
  void (*written)(void *, size_t) = nullptr;
};

} // namespace gpuexec::cuda

#endif
