// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The raw limits of what a device and its host can exchange. flag: a flag bounced between a kernel and a host thread through
   pinned memory, in nanoseconds per round trip. copy: blocks of 1 MiB from device memory to pinned memory, one after the
   other, by the device's copy engine, in MB/s. queue: the same with one always behind the one that is under way.
   usage: bounce hsa|cuda LIBRARY IMAGE flag|copy|queue N */
#define _GNU_SOURCE
#include "device_calls.h"

#define BLOCK (1 << 20)

static double serve(volatile uint32_t *flags, uint32_t count) {
  double begin = now_ms();
  for (uint32_t i = 1; i <= count; i++) {
    while (__atomic_load_n(&flags[16], __ATOMIC_ACQUIRE) != i)
      ;
    __atomic_store_n(&flags[0], i, __ATOMIC_RELEASE);
  }
  return (now_ms() - begin) * 1e6 / count;
}

struct pool {
  hsa_amd_memory_pool_t pool;
  bool fine;
};

static hsa_status_t find_pool(hsa_amd_memory_pool_t pool, void *data) {
  hsa_amd_segment_t segment;
  uint32_t flags = 0;
  bool allocates = false;
  F(hsa_amd_memory_pool_get_info)(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
  F(hsa_amd_memory_pool_get_info)(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
  F(hsa_amd_memory_pool_get_info)(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allocates);
  struct pool *wanted = data;
  uint32_t grain =
      wanted->fine ? HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED : HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
  if (segment != HSA_AMD_SEGMENT_GLOBAL || !(flags & grain) || !allocates)
    return HSA_STATUS_SUCCESS;
  wanted->pool = pool;
  return HSA_STATUS_INFO_BREAK;
}

static hsa_agent_t cpu;

static hsa_status_t find_cpu(hsa_agent_t agent, void *data) {
  hsa_device_type_t type;
  F(hsa_agent_get_info)(agent, HSA_AGENT_INFO_DEVICE, &type);
  cpu = agent;
  return type == HSA_DEVICE_TYPE_CPU ? HSA_STATUS_INFO_BREAK : HSA_STATUS_SUCCESS;
}

/* Memory of the host (fine-grained) or of the device, for both. */
static char *hsa_memory(struct hsa_program *p, bool fine) {
  struct pool pool = {{0}, fine};
  hsa_agent_t agents[2] = {p->gpu, cpu};
  char *memory;
  F(hsa_amd_agent_iterate_memory_pools)(fine ? cpu : p->gpu, find_pool, &pool);
  must(pool.pool.handle != 0, "finding a memory pool");
  HSA(hsa_amd_memory_pool_allocate, pool.pool, BLOCK, 0, (void **)&memory);
  HSA(hsa_amd_agents_allow_access, fine ? 1 : 2, agents, NULL, memory);
  return memory;
}

struct arguments {
  uint32_t *to_device, *to_host, count;
};

static double hsa_flag(struct hsa_program *p, uint32_t count) {
  char *memory = hsa_memory(p, true);
  memset(memory, 0, 4096);
  struct arguments *arguments = (struct arguments *)(memory + 2048);
  *arguments = (struct arguments){(uint32_t *)memory, (uint32_t *)memory + 16, count};
  hsa_launch(p, "bounce", arguments);
  double time = serve((volatile uint32_t *)memory, count);
  hsa_wait(p);
  return time;
}

static double megabytes_per_second(double begin, uint32_t count) { return count * (BLOCK / 1e6) / (now_ms() - begin) * 1e3; }

static double hsa_copy(struct hsa_program *p, uint32_t count) {
  char *to = hsa_memory(p, true), *from = hsa_memory(p, false);
  memset(to, 1, BLOCK);
  HSA(hsa_amd_memory_fill, from, 7, BLOCK / 4);
  double begin = now_ms();
  for (uint32_t i = 0; i < count; i++) {
    F(hsa_signal_store_relaxed)(p->signal, 1);
    HSA(hsa_amd_memory_async_copy, to, cpu, from, p->gpu, BLOCK, 0, NULL, p->signal);
    hsa_wait(p);
  }
  return megabytes_per_second(begin, count);
}

static double hsa_queue(struct hsa_program *p, uint32_t count) {
  char *to[2] = {hsa_memory(p, true), hsa_memory(p, true)}, *from = hsa_memory(p, false);
  hsa_signal_t ends[2];
  memset(to[0], 1, BLOCK), memset(to[1], 1, BLOCK);
  HSA(hsa_amd_memory_fill, from, 7, BLOCK / 4);
  for (int i = 0; i < 2; i++)
    HSA(hsa_signal_create, 0, 0, NULL, &ends[i]);
  double begin = now_ms();
  for (uint32_t i = 0; i < count + 2; i++) {
    F(hsa_signal_wait_scacquire)(ends[i % 2], HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_ACTIVE);
    if (i >= count)
      continue;
    F(hsa_signal_store_relaxed)(ends[i % 2], 1);
    HSA(hsa_amd_memory_async_copy, to[i % 2], cpu, from, p->gpu, BLOCK, 0, NULL, ends[i % 2]);
  }
  return megabytes_per_second(begin, count);
}

static double run_hsa(const void *image, size_t size, const char *mode, uint32_t count) {
  struct hsa_program program;
  hsa_open(&program);
  hsa_load(&program, image, size);
  F(hsa_iterate_agents)(find_cpu, NULL);
  return *mode == 'c' ? hsa_copy(&program, count) : *mode == 'q' ? hsa_queue(&program, count) : hsa_flag(&program, count);
}

static void *cuda_host_memory(void) {
  void *memory;
  CUDA(cuMemHostAlloc, &memory, BLOCK, CU_MEMHOSTALLOC_DEVICEMAP);
  memset(memory, 0, BLOCK);
  return memory;
}

static double cuda_flag(const void *image, uint32_t count) {
  CUmodule module;
  void *memory = cuda_host_memory();
  CUDA(cuModuleLoadData, &module, image);
  struct arguments arguments = {memory, (uint32_t *)memory + 16, count};
  void *pointers[] = {&arguments.to_device, &arguments.to_host, &arguments.count};
  cuda_launch(module, "bounce", pointers);
  double time = serve(memory, count);
  CUDA(cuCtxSynchronize);
  return time;
}

static double cuda_copy(uint32_t count) {
  void *to = cuda_host_memory();
  CUdeviceptr from;
  CUDA(cuMemAlloc_v2, &from, BLOCK);
  CUDA(cuMemsetD32_v2, from, 7, BLOCK / 4);
  CUDA(cuCtxSynchronize);
  double begin = now_ms();
  for (uint32_t i = 0; i < count; i++)
    CUDA(cuMemcpyDtoH_v2, to, from, BLOCK);
  return megabytes_per_second(begin, count);
}

static double cuda_queue(uint32_t count) {
  void *to[2] = {cuda_host_memory(), cuda_host_memory()};
  CUstream streams[2];
  CUdeviceptr from;
  CUDA(cuMemAlloc_v2, &from, BLOCK);
  CUDA(cuMemsetD32_v2, from, 7, BLOCK / 4);
  CUDA(cuCtxSynchronize);
  for (int i = 0; i < 2; i++)
    CUDA(cuStreamCreate, &streams[i], CU_STREAM_NON_BLOCKING);
  double begin = now_ms();
  for (uint32_t i = 0; i < count + 2; i++) {
    CUDA(cuStreamSynchronize, streams[i % 2]);
    if (i < count)
      CUDA(cuMemcpyDtoHAsync_v2, to[i % 2], from, BLOCK, streams[i % 2]);
  }
  return megabytes_per_second(begin, count);
}

int main(int argc, char **argv) {
  size_t size;
  must(argc == 6, "usage: bounce hsa|cuda LIBRARY IMAGE flag|copy|queue N: this");
  bool is_hsa = strcmp(argv[1], "hsa") == 0;
  const char *mode = argv[4];
  char *image = read_file(argv[3], &size);
  uint32_t count = (uint32_t)atoi(argv[5]);
  open_library(argv[2]);
  if (is_hsa) {
    printf("%.1f\n", run_hsa(image, size, mode, count));
  } else {
    cuda_open();
    printf("%.1f\n", *mode == 'c' ? cuda_copy(count) : *mode == 'q' ? cuda_queue(count) : cuda_flag(image, count));
  }
  fflush(stdout);
  _exit(0);
}
