//===-- replay/player/hsa.h - An AMD GPU, real or emulated ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ROCm's libhsa-runtime64 and gpuexec's emulator have the same interface. Only
// for the files hsa*.c.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_HSA_H
#define GPUEXEC_REPLAY_PLAYER_HSA_H

#include "drivers/hsa.h"
#include "replay/player/device.h"

#define HSA_FUNCTIONS(F)                                                       \
  F(hsa_init)                                                                  \
  F(hsa_status_string)                                                         \
  F(hsa_system_get_info)                                                       \
  F(hsa_system_get_major_extension_table)                                      \
  F(hsa_iterate_agents)                                                        \
  F(hsa_agent_get_info)                                                        \
  F(hsa_queue_create)                                                          \
  F(hsa_queue_load_write_index_relaxed)                                        \
  F(hsa_queue_store_write_index_screlease)                                     \
  F(hsa_signal_create)                                                         \
  F(hsa_signal_load_scacquire)                                                 \
  F(hsa_signal_store_screlease)                                                \
  F(hsa_memory_copy)                                                           \
  F(hsa_code_object_reader_create_from_memory)                                 \
  F(hsa_executable_create_alt)                                                 \
  F(hsa_executable_load_agent_code_object)                                     \
  F(hsa_executable_freeze)                                                     \
  F(hsa_executable_get_symbol_by_name)                                         \
  F(hsa_executable_symbol_get_info)                                            \
  F(hsa_amd_agent_iterate_memory_pools)                                        \
  F(hsa_amd_memory_pool_get_info)                                              \
  F(hsa_amd_memory_pool_allocate)                                              \
  F(hsa_amd_memory_pool_free)                                                  \
  F(hsa_amd_agents_allow_access)                                               \
  F(hsa_amd_pointer_info)                                                      \
  F(hsa_amd_register_system_event_handler)

struct hsa_api {
  HSA_FUNCTIONS(DRIVER_MEMBER)
  const char *(*fault_report)(void); ///< NULL except for the emulator
  int (*fault_signal)(void);         ///< likewise
  hsa_status_t (*set_option)(const char *, const char *);
};

/// A range to which the host must not write for the program.
struct range {
  uint64_t begin, end;
};
/// A block of the program's memory.
struct hsa_block {
  uint64_t address, size;
  void *base;
};

enum { MOST_PROTECTED = 64 };
struct hsa_device {
  struct device device;
  struct hsa_api api;
  bool emulated;
  const struct plan *plan;
  hsa_agent_t cpu, gpu;
  unsigned gpu_rank; ///< rank_of() of `gpu`
  hsa_amd_memory_pool_t kernarg_pool, host_pool, device_pool;
  bool has_kernarg, has_host, has_device;
  hsa_executable_t executable;
  hsa_queue_t *queue;
  hsa_kernel_dispatch_packet_t *ring;
  uint64_t ring_mask, next;
  hsa_signal_t doorbell, completion;
  const char *kernel; ///< launched last
  struct range protected[MOST_PROTECTED];
  unsigned protected_count;
  struct hsa_block *blocks;
  size_t block_count, block_room;
  uint64_t used, limit; ///< of the heap
  // Threads of the runtime write these, `happened` last.
  hsa_status_t queue_status;
  uint64_t fault_address;
  uint32_t fault_reason;
  bool memory_fault;
  int happened;
};

static inline struct hsa_device *hsa_of(struct device *device) {
  return (struct hsa_device *)device;
}
/// fail() unless `result` is success; `what` names the action in the message.
void check_hsa(struct hsa_device *hsa, hsa_status_t result, const char *what);
void protect_range(struct hsa_device *hsa, uint64_t begin, uint64_t size);
hsa_executable_symbol_t find_symbol(struct hsa_device *hsa, const char *name,
                                    bool *found);

// hsa_memory.c
void find_pools(struct hsa_device *hsa);
struct host_memory hsa_allocate_host(struct device *device, uint64_t size);
uint64_t hsa_allocate(struct device *device, uint64_t size, uint64_t alignment);
bool hsa_free(struct device *device, uint64_t address);
bool hsa_holds(struct device *device, uint64_t address, uint64_t size,
               bool writes);
int hsa_read(struct device *device, void *to, uint64_t from, uint64_t size);
int hsa_write(struct device *device, uint64_t to, const void *from,
              uint64_t size);

// hsa_launch.c
void create_queue(struct hsa_device *hsa);
void hsa_launch(struct device *device, const struct kernel *kernel,
                const struct grid *grid, const void *arguments);
bool hsa_runs(struct device *device);

#endif // GPUEXEC_REPLAY_PLAYER_HSA_H
