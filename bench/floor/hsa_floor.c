/* bench/floor/hsa_floor.c - What running an image on an HSA device costs at the least.
 *
 * The same calls into the runtime that gpuexec makes for a program that does nothing, one after the other, and nothing
 * else: no parsing, no threads, no server. Usage: hsa_floor RUNTIME-LIBRARY IMAGE. Prints milliseconds per phase as
 * JSON. The image must use no mailbox, or never wait for it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

static void *library;
#define CALL(NAME, ...)                                                                                               \
  do {                                                                                                                 \
    __typeof__(&NAME) function = (__typeof__(&NAME))dlsym(library, #NAME);                                             \
    hsa_status_t result = function ? function(__VA_ARGS__) : HSA_STATUS_ERROR;                                         \
    if (result != HSA_STATUS_SUCCESS && result != HSA_STATUS_INFO_BREAK) {                                             \
      fprintf(stderr, "%s: 0x%x\n", #NAME, result);                                                                    \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)
#define FUNCTION(NAME) ((__typeof__(&NAME))dlsym(library, #NAME))

static hsa_agent_t cpu, gpu;
static hsa_amd_memory_pool_t kernarg_pool, host_pool, device_pool;

static hsa_status_t on_agent(hsa_agent_t agent, void *unused) {
  (void)unused;
  hsa_device_type_t type;
  CALL(hsa_agent_get_info, agent, HSA_AGENT_INFO_DEVICE, &type);
  if (type == HSA_DEVICE_TYPE_CPU && !cpu.handle)
    cpu = agent;
  if (type == HSA_DEVICE_TYPE_GPU && !gpu.handle)
    gpu = agent;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t on_pool(hsa_amd_memory_pool_t pool, void *of_device) {
  uint32_t flags = 0;
  hsa_amd_segment_t segment;
  CALL(hsa_amd_memory_pool_get_info, pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
  if (segment != HSA_AMD_SEGMENT_GLOBAL)
    return HSA_STATUS_SUCCESS;
  CALL(hsa_amd_memory_pool_get_info, pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
  if (!of_device && (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT))
    kernarg_pool = pool;
  if (!of_device && (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED))
    host_pool = pool;
  if (of_device && (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED))
    device_pool = pool;
  return HSA_STATUS_SUCCESS;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void *host_memory(size_t size) {
  void *memory;
  CALL(hsa_amd_memory_pool_allocate, host_pool, size, 0, &memory);
  CALL(hsa_amd_agents_allow_access, 1, &gpu, NULL, memory);
  memset(memory, 0, size);
  return memory;
}

static void launch(hsa_queue_t *queue, hsa_signal_t done, hsa_executable_t executable, const char *name,
                   const void *arguments, size_t size) {
  hsa_executable_symbol_t symbol;
  uint64_t object;
  uint32_t private_size, group_size, kernarg_size;
  CALL(hsa_executable_get_symbol_by_name, executable, name, &gpu, &symbol);
  CALL(hsa_executable_symbol_get_info, symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object);
  CALL(hsa_executable_symbol_get_info, symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &private_size);
  CALL(hsa_executable_symbol_get_info, symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &group_size);
  CALL(hsa_executable_symbol_get_info, symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &kernarg_size);
  void *kernarg = NULL;
  if (kernarg_size) {
    CALL(hsa_amd_memory_pool_allocate, kernarg_pool, kernarg_size, 0, &kernarg);
    CALL(hsa_amd_agents_allow_access, 1, &gpu, NULL, kernarg);
    memset(kernarg, 0, kernarg_size);
    memcpy(kernarg, arguments, size < kernarg_size ? size : kernarg_size);
    if (kernarg_size >= size + 66) { /* one block of one thread, in the implicit arguments */
      uint32_t *counts = (uint32_t *)((char *)kernarg + ((size + 7) & ~(size_t)7));
      uint16_t *sizes = (uint16_t *)(counts + 3);
      counts[0] = counts[1] = counts[2] = 1;
      sizes[0] = sizes[1] = sizes[2] = 1;
      sizes[26] = 1;
    }
  }
  FUNCTION(hsa_signal_store_screlease)(done, 1);
  uint64_t index = FUNCTION(hsa_queue_add_write_index_relaxed)(queue, 1);
  hsa_kernel_dispatch_packet_t *slot =
      (hsa_kernel_dispatch_packet_t *)queue->base_address + (index & (queue->size - 1));
  hsa_kernel_dispatch_packet_t packet = {0};
  packet.workgroup_size_x = packet.workgroup_size_y = packet.workgroup_size_z = 1;
  packet.grid_size_x = packet.grid_size_y = packet.grid_size_z = 1;
  packet.private_segment_size = private_size ? private_size : 16384;
  packet.group_segment_size = group_size;
  packet.kernel_object = object;
  packet.kernarg_address = kernarg;
  packet.completion_signal = done;
  memcpy((char *)slot + 4, (char *)&packet + 4, sizeof(packet) - 4);
  uint16_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE | 1 << HSA_PACKET_HEADER_BARRIER |
                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
  __atomic_store_n((uint32_t *)slot, header | 1u << 16, __ATOMIC_RELEASE);
  FUNCTION(hsa_signal_store_screlease)(queue->doorbell_signal, (hsa_signal_value_t)index);
  while (FUNCTION(hsa_signal_wait_scacquire)(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) > 0)
    ;
  if (kernarg)
    CALL(hsa_amd_memory_pool_free, kernarg);
}

int main(int argc, char **argv) {
  double marks[8];
  int mark = 0;
  marks[mark++] = now();
  if (argc != 3)
    return 2;
  int file = open(argv[2], O_RDONLY);
  struct stat info;
  if (file < 0 || fstat(file, &info))
    return perror(argv[2]), 2;
  void *image = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  if (!(library = dlopen(argv[1], RTLD_NOW)))
    return fprintf(stderr, "%s\n", dlerror()), 2;
  CALL(hsa_init);
  CALL(hsa_iterate_agents, on_agent, NULL);
  CALL(hsa_amd_agent_iterate_memory_pools, cpu, on_pool, NULL);
  CALL(hsa_amd_agent_iterate_memory_pools, gpu, on_pool, &gpu);
  hsa_queue_t *queue;
  hsa_signal_t done;
  CALL(hsa_queue_create, gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue);
  CALL(hsa_signal_create, 1, 0, NULL, &done);
  marks[mark++] = now();

  hsa_code_object_reader_t reader;
  hsa_executable_t executable;
  CALL(hsa_code_object_reader_create_from_memory, image, (size_t)info.st_size, &reader);
  CALL(hsa_executable_create_alt, HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, "", &executable);
  CALL(hsa_executable_load_agent_code_object, executable, gpu, reader, "", NULL);
  CALL(hsa_executable_freeze, executable, "");
  uint64_t *argv_memory = host_memory(4096);
  argv_memory[0] = (uint64_t)strcpy((char *)(argv_memory + 8), argv[2]);
  void *ret;
  CALL(hsa_amd_memory_pool_allocate, device_pool, 4, 0, &ret);
  CALL(hsa_amd_memory_fill, ret, 0, 1);
  marks[mark++] = now();

  struct {
    uint64_t argc, argv, envp, ret;
  } arguments = {1, (uint64_t)argv_memory, (uint64_t)(argv_memory + 2), (uint64_t)ret};
  launch(queue, done, executable, "_begin.kd", &arguments, 24);
  marks[mark++] = now();
  launch(queue, done, executable, "_start.kd", &arguments, 32);
  marks[mark++] = now();
  int status;
  CALL(hsa_memory_copy, &status, ret, sizeof(status));
  launch(queue, done, executable, "_end.kd", NULL, 0);
  marks[mark++] = now();
  CALL(hsa_executable_destroy, executable);
  CALL(hsa_queue_destroy, queue);
  CALL(hsa_shut_down);
  marks[mark++] = now();

  static const char *const names[] = {"device", "load", "begin", "start", "end", "teardown"};
  printf("{");
  for (int i = 0; i < 6; ++i)
    printf("%s\"%s\": %.4f", i ? ", " : "", names[i], marks[i + 1] - marks[i]);
  printf("}\n");
  return status;
}
