/* The raw limit of a call from the device: a flag bounced between a kernel and a host thread through pinned memory.
   Prints nanoseconds per round trip.   usage: bounce hsa LIBRARY IMAGE N | bounce cuda IMAGE N */
#define _GNU_SOURCE
#include "device_calls.h"

static double serve(volatile uint32_t *flags, uint32_t count) {
  double begin = now_ms();
  for (uint32_t i = 1; i <= count; i++) {
    while (__atomic_load_n(&flags[16], __ATOMIC_ACQUIRE) != i)
      ;
    __atomic_store_n(&flags[0], i, __ATOMIC_RELEASE);
  }
  return (now_ms() - begin) * 1e6 / count;
}

static hsa_status_t find_pool(hsa_amd_memory_pool_t pool, void *data) {
  hsa_amd_segment_t segment;
  uint32_t flags = 0;
  bool allocates = false;
  F(hsa_amd_memory_pool_get_info)(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
  F(hsa_amd_memory_pool_get_info)(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
  F(hsa_amd_memory_pool_get_info)(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allocates);
  if (segment != HSA_AMD_SEGMENT_GLOBAL || !(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) || !allocates)
    return HSA_STATUS_SUCCESS;
  *(hsa_amd_memory_pool_t *)data = pool;
  return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t find_host_pool(hsa_agent_t agent, void *data) {
  hsa_device_type_t type;
  F(hsa_agent_get_info)(agent, HSA_AGENT_INFO_DEVICE, &type);
  if (type != HSA_DEVICE_TYPE_CPU)
    return HSA_STATUS_SUCCESS;
  F(hsa_amd_agent_iterate_memory_pools)(agent, find_pool, data);
  return HSA_STATUS_INFO_BREAK;
}

struct arguments {
  uint32_t *to_device, *to_host, count;
};

static double run_hsa(const void *image, size_t size, uint32_t count) {
  struct hsa_program program;
  hsa_amd_memory_pool_t pool = {0};
  char *memory;
  hsa_open(&program);
  hsa_load(&program, image, size);
  F(hsa_iterate_agents)(find_host_pool, &pool);
  must(pool.handle != 0, "finding a fine-grained pool");
  HSA(hsa_amd_memory_pool_allocate, pool, 4096, 0, (void **)&memory);
  HSA(hsa_amd_agents_allow_access, 1, &program.gpu, NULL, memory);
  memset(memory, 0, 4096);
  struct arguments *arguments = (struct arguments *)(memory + 2048);
  *arguments = (struct arguments){(uint32_t *)memory, (uint32_t *)memory + 16, count};
  hsa_launch(&program, "bounce", arguments);
  double time = serve((volatile uint32_t *)memory, count);
  hsa_wait(&program);
  return time;
}

static double run_cuda(const void *image, uint32_t count) {
  void *module, *memory;
  cuda_open();
  CUDA(cuModuleLoadData, (void **, const void *), &module, image);
  CUDA(cuMemHostAlloc, (void **, size_t, unsigned), &memory, 4096, 2 /* device mapped */);
  memset(memory, 0, 4096);
  struct arguments arguments = {memory, (uint32_t *)memory + 16, count};
  void *pointers[] = {&arguments.to_device, &arguments.to_host, &arguments.count};
  cuda_launch(module, "bounce", pointers);
  double time = serve(memory, count);
  CUDA(cuCtxSynchronize, (void));
  return time;
}

int main(int argc, char **argv) {
  size_t size;
  must(argc >= 4, "usage: bounce hsa LIBRARY IMAGE N | bounce cuda IMAGE N: this");
  int is_hsa = strcmp(argv[1], "hsa") == 0;
  char *image = read_file(argv[argc - 2], &size);
  uint32_t count = (uint32_t)atoi(argv[argc - 1]);
  open_library(is_hsa ? argv[2] : "libcuda.so.1");
  printf("%.1f\n", is_hsa ? run_hsa(image, size, count) : run_cuda(image, count));
  fflush(stdout);
  _exit(0);
}
