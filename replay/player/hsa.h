//===-- replay/player/hsa.h - An AMD GPU, real or emulated ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ROCm's libhsa-runtime64 and gpuexec's emulator have the same interface. Only
// for the files hsa*.c.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_HSA_H
#define GPUEXEC_REPLAY_PLAYER_HSA_H

#include "replay/player/device.h"
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

struct hsa_api {
#define HSA_FUNCTION(NAME) __typeof__(&NAME) NAME;
#include "replay/player/hsa_functions.def"
  const char *(*fault_report)(void); ///< the emulator's; else NULL
  int (*fault_signal)(void);         ///< the same
  hsa_status_t (*set_option)(const char *, const char *);
};

/// What the program may not have written to by the host.
struct range {
  uint64_t begin, end;
};
/// Of the program's memory.
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
  unsigned gpu_rank; ///< of `gpu`: as in plan.processors, or behind them
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
  // Written by threads of the runtime's, `happened` last.
  hsa_status_t queue_status;
  uint64_t fault_address;
  uint32_t fault_reason;
  bool memory_fault;
  int happened;
};

static inline struct hsa_device *hsa_of(struct device *device) {
  return (struct hsa_device *)device;
}
/// fail() unless it was a success.
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
