//===-- replay/player/hsa_memory.c - Memory of an AMD GPU -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/hsa.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct pools {
  struct hsa_device *hsa;
  bool of_gpu;
};

static hsa_status_t note_pool(hsa_amd_memory_pool_t pool, void *data) {
  const struct pools *pools = data;
  struct hsa_device *hsa = pools->hsa;
  __typeof__(&hsa_amd_memory_pool_get_info) info =
      hsa->api.hsa_amd_memory_pool_get_info;
  hsa_amd_segment_t segment;
  uint32_t flags = 0;
  bool can_allocate = false;
  if (info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment) !=
          HSA_STATUS_SUCCESS ||
      segment != HSA_AMD_SEGMENT_GLOBAL ||
      info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED,
           &can_allocate) != HSA_STATUS_SUCCESS ||
      !can_allocate ||
      info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags) !=
          HSA_STATUS_SUCCESS)
    return HSA_STATUS_SUCCESS;
  // Coarse-grained memory is wanted from the GPU, the rest from the host.
  if (pools->of_gpu) {
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED &&
        !hsa->has_device) {
      hsa->device_pool = pool;
      hsa->has_device = true;
    }
    return HSA_STATUS_SUCCESS;
  }
  if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT &&
      !hsa->has_kernarg) {
    hsa->kernarg_pool = pool;
    hsa->has_kernarg = true;
  }
  if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED && !hsa->has_host) {
    hsa->host_pool = pool;
    hsa->has_host = true;
  }
  return HSA_STATUS_SUCCESS;
}

void find_pools(struct hsa_device *hsa) {
  struct pools of_cpu = {hsa, false}, of_gpu = {hsa, true};
  check_hsa(
      hsa,
      hsa->api.hsa_amd_agent_iterate_memory_pools(hsa->cpu, note_pool, &of_cpu),
      "memory of the host");
  check_hsa(
      hsa,
      hsa->api.hsa_amd_agent_iterate_memory_pools(hsa->gpu, note_pool, &of_gpu),
      "memory of the device");
  if (!hsa->has_kernarg || !hsa->has_host || !hsa->has_device)
    fail(STATUS_FAILED, "%s: the device lacks memory of a kind",
         hsa->device.name);
}

struct host_memory hsa_allocate_host(struct device *device, uint64_t size) {
  struct hsa_device *hsa = hsa_of(device);
  void *memory = NULL;
  check_hsa(hsa,
            hsa->api.hsa_amd_memory_pool_allocate(hsa->host_pool,
                                                  size ? size : 1, 0, &memory),
            "allocating pinned memory");
  check_hsa(hsa,
            hsa->api.hsa_amd_agents_allow_access(1, &hsa->gpu, NULL, memory),
            "giving the device access to pinned memory");
  memset(memory, 0, size);
  return (struct host_memory){memory, (uint64_t)memory};
}

//===-- The program's heap ------------------------------------------------===//

uint64_t hsa_allocate(struct device *device, uint64_t size,
                      uint64_t alignment) {
  struct hsa_device *hsa = hsa_of(device);
  void *memory = NULL;
  size = size ? size : 1;
  if (size > UINT64_MAX - alignment || hsa->used > hsa->limit ||
      size > hsa->limit - hsa->used)
    return 0;
  // Pools promise the alignment of a page; large requests mostly get more.
  if (hsa->api.hsa_amd_memory_pool_allocate(hsa->device_pool, size, 0,
                                            &memory) != HSA_STATUS_SUCCESS)
    return 0;
  if ((uint64_t)memory % alignment) {
    hsa->api.hsa_amd_memory_pool_free(memory);
    if (hsa->api.hsa_amd_memory_pool_allocate(hsa->device_pool,
                                              size + alignment, 0,
                                              &memory) != HSA_STATUS_SUCCESS)
      return 0;
  }
  if (hsa->block_count == hsa->block_room) {
    hsa->block_room = hsa->block_room ? 2 * hsa->block_room : 64;
    hsa->blocks = realloc(hsa->blocks, hsa->block_room * sizeof *hsa->blocks);
    if (!hsa->blocks)
      fail(STATUS_FAILED, "out of memory");
  }
  const uint64_t address = ((uint64_t)memory + alignment - 1) & -alignment;
  hsa->blocks[hsa->block_count++] = (struct hsa_block){address, size, memory};
  hsa->used += size;
  return address;
}

bool hsa_free(struct device *device, uint64_t address) {
  struct hsa_device *hsa = hsa_of(device);
  for (size_t i = hsa->block_count; i-- > 0;) {
    const struct hsa_block block = hsa->blocks[i];
    if (block.address != address)
      continue;
    hsa->blocks[i] = hsa->blocks[--hsa->block_count];
    hsa->used -= block.size;
    hsa->api.hsa_amd_memory_pool_free(block.base);
    return true;
  }
  return false;
}

/// Whether one allocation of the runtime holds the whole range; if `writes`, no
/// part of it may be protected.
bool hsa_holds(struct device *device, uint64_t address, uint64_t size,
               bool writes) {
  struct hsa_device *hsa = hsa_of(device);
  hsa_amd_pointer_info_t info = {0};
  info.size = sizeof info;
  if (hsa->api.hsa_amd_pointer_info((void *)address, &info, NULL, NULL, NULL) !=
          HSA_STATUS_SUCCESS ||
      info.type == HSA_EXT_POINTER_TYPE_UNKNOWN)
    return false;
  const uint64_t begin = (uint64_t)info.agentBaseAddress;
  if (address < begin || !in_range(address - begin, size, info.sizeInBytes))
    return false;
  for (unsigned i = 0; writes && i < hsa->protected_count; ++i)
    if (address < hsa->protected[i].end &&
        address + size > hsa->protected[i].begin)
      return false;
  return true;
}

int hsa_read(struct device *device, void *to, uint64_t from, uint64_t size) {
  struct hsa_device *hsa = hsa_of(device);
  return hsa_holds(device, from, size, false) &&
                 hsa->api.hsa_memory_copy(to, (const void *)from, size) ==
                     HSA_STATUS_SUCCESS
             ? 0
             : EFAULT;
}

int hsa_write(struct device *device, uint64_t to, const void *from,
              uint64_t size) {
  struct hsa_device *hsa = hsa_of(device);
  return hsa_holds(device, to, size, true) &&
                 hsa->api.hsa_memory_copy((void *)to, from, size) ==
                     HSA_STATUS_SUCCESS
             ? 0
             : EFAULT;
}
