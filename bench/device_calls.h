// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A driver to measure against: a library opened at run time, calls that must succeed. */
#ifndef DEVICE_CALLS_H
#define DEVICE_CALLS_H

#include "drivers/cuda.h"
#include "drivers/hsa.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void *library;

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void must(int ok, const char *what) {
  if (!ok) {
    fprintf(stderr, "error: %s failed\n", what);
    exit(1);
  }
}

static void *symbol(const char *name) {
  void *address = dlsym(library, name);
  must(address != NULL, name);
  return address;
}

static void open_library(const char *path) {
  library = dlopen(path, RTLD_NOW);
  if (!library) {
    fprintf(stderr, "error: %s\n", dlerror());
    exit(1);
  }
}

/* The whole file, with a zero byte behind it. */
static char *read_file(const char *path, size_t *size) {
  int file = open(path, O_RDONLY);
  struct stat information;
  must(file >= 0 && fstat(file, &information) == 0, path);
  *size = (size_t)information.st_size;
  char *bytes = calloc(1, *size + 1);
  must(bytes && read(file, bytes, *size) == (ssize_t)*size, path);
  close(file);
  return bytes;
}

#define F(NAME) ((__typeof__(&NAME))symbol(#NAME))
#define HSA(NAME, ...) must(F(NAME)(__VA_ARGS__) == HSA_STATUS_SUCCESS, #NAME)
#define CUDA(NAME, ...) must(F(NAME)(__VA_ARGS__) == CUDA_SUCCESS, #NAME)

static hsa_status_t find_gpu(hsa_agent_t agent, void *data) {
  hsa_device_type_t type;
  HSA(hsa_agent_get_info, agent, HSA_AGENT_INFO_DEVICE, &type);
  if (type != HSA_DEVICE_TYPE_GPU)
    return HSA_STATUS_SUCCESS;
  *(hsa_agent_t *)data = agent;
  return HSA_STATUS_INFO_BREAK;
}

/* The GPU agent, a loaded executable, a queue and a signal. */
struct hsa_program {
  hsa_agent_t gpu;
  hsa_code_object_reader_t reader;
  hsa_executable_t executable;
  hsa_queue_t *queue;
  hsa_signal_t signal;
};

static inline void hsa_open(struct hsa_program *p) {
  p->gpu.handle = 0;
  HSA(hsa_init);
  F(hsa_iterate_agents)(find_gpu, &p->gpu);
  must(p->gpu.handle != 0, "finding a GPU agent");
}

static inline void hsa_load(struct hsa_program *p, const void *image, size_t size) {
  HSA(hsa_code_object_reader_create_from_memory, image, size, &p->reader);
  HSA(hsa_executable_create_alt, HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &p->executable);
  HSA(hsa_executable_load_agent_code_object, p->executable, p->gpu, p->reader, NULL, NULL);
  HSA(hsa_executable_freeze, p->executable, NULL);
  HSA(hsa_queue_create, p->gpu, 64, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, 0, 0, &p->queue);
  HSA(hsa_signal_create, 1, 0, NULL, &p->signal);
}

/* Launches a kernel with one thread. */
static inline void hsa_launch(struct hsa_program *p, const char *kernel, void *arguments) {
  char name[64];
  hsa_executable_symbol_t handle;
  snprintf(name, sizeof name, "%s.kd", kernel);
  HSA(hsa_executable_get_symbol_by_name, p->executable, name, &p->gpu, &handle);
  uint64_t index = F(hsa_queue_add_write_index_relaxed)(p->queue, 1);
  hsa_kernel_dispatch_packet_t *packet = (hsa_kernel_dispatch_packet_t *)p->queue->base_address + index % p->queue->size;
  memset(packet, 0, sizeof *packet);
  HSA(hsa_executable_symbol_get_info, handle, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &packet->kernel_object);
  HSA(hsa_executable_symbol_get_info, handle, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
      &packet->private_segment_size);
  packet->workgroup_size_x = packet->workgroup_size_y = packet->workgroup_size_z = 1;
  packet->grid_size_x = packet->grid_size_y = packet->grid_size_z = 1;
  packet->kernarg_address = arguments;
  packet->completion_signal = p->signal;
  F(hsa_signal_store_relaxed)(p->signal, 1);
  uint16_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE | 1 << HSA_PACKET_HEADER_BARRIER |
                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
  __atomic_store_n((uint32_t *)packet, header | 1u << 16, __ATOMIC_RELEASE); /* setup: one dimension */
  F(hsa_signal_store_screlease)(p->queue->doorbell_signal, (hsa_signal_value_t)index);
}

static inline void hsa_wait(struct hsa_program *p) {
  F(hsa_signal_wait_scacquire)(p->signal, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_ACTIVE);
}

static inline void hsa_close(struct hsa_program *p) {
  HSA(hsa_signal_destroy, p->signal);
  HSA(hsa_queue_destroy, p->queue);
  HSA(hsa_executable_destroy, p->executable);
  HSA(hsa_code_object_reader_destroy, p->reader);
  HSA(hsa_shut_down);
}

static inline void cuda_open(void) {
  CUdevice device;
  CUcontext context;
  CUDA(cuInit, 0);
  CUDA(cuDeviceGet, &device, 0);
  CUDA(cuDevicePrimaryCtxRetain, &context, device);
  CUDA(cuCtxSetCurrent, context);
}

static inline void cuda_launch(CUmodule module, const char *kernel, void **arguments) {
  CUfunction function;
  CUDA(cuModuleGetFunction, &function, module, kernel);
  CUDA(cuLaunchKernel, function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
}

#endif
