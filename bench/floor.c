/* The floor under gpuexec's start-up: open a device, load an image, launch three empty kernels one after the other, and
   nothing else. Prints the milliseconds of each phase as JSON, in gpuexec --timings' form.
   usage: floor hsa LIBRARY IMAGE | floor cuda IMAGE */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const kernels[] = {"_begin", "_start", "_end"};
static double last;
static int phases;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void done(const char *name) {
  double time = now();
  printf("%s\n  {\"name\": \"%s\", \"time\": %.4f}", phases++ ? "," : "{\"unit\": \"ms\", \"phases\": [", name, time - last);
  last = time;
}

static void must(int ok, const char *what) {
  if (!ok) {
    fprintf(stderr, "floor: %s failed\n", what);
    exit(1);
  }
}

static void *library;

static void *symbol(const char *name) {
  void *address = dlsym(library, name);
  must(address != NULL, name);
  return address;
}

#define F(NAME) ((__typeof__(&NAME))symbol(#NAME))
#define HSA(NAME, ...) must(F(NAME)(__VA_ARGS__) == HSA_STATUS_SUCCESS, #NAME)

static hsa_status_t find_gpu(hsa_agent_t agent, void *data) {
  hsa_device_type_t type;
  HSA(hsa_agent_get_info, agent, HSA_AGENT_INFO_DEVICE, &type);
  if (type != HSA_DEVICE_TYPE_GPU)
    return HSA_STATUS_SUCCESS;
  *(hsa_agent_t *)data = agent;
  return HSA_STATUS_INFO_BREAK;
}

static void run_hsa(const void *image, size_t size) {
  hsa_agent_t gpu = {0};
  HSA(hsa_init);
  F(hsa_iterate_agents)(find_gpu, &gpu);
  must(gpu.handle != 0, "finding a GPU agent");
  done("device");

  hsa_code_object_reader_t reader;
  hsa_executable_t executable;
  hsa_queue_t *queue;
  hsa_signal_t signal;
  HSA(hsa_code_object_reader_create_from_memory, image, size, &reader);
  HSA(hsa_executable_create_alt, HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable);
  HSA(hsa_executable_load_agent_code_object, executable, gpu, reader, NULL, NULL);
  HSA(hsa_executable_freeze, executable, NULL);
  HSA(hsa_queue_create, gpu, 64, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, 0, 0, &queue);
  HSA(hsa_signal_create, 1, 0, NULL, &signal);
  done("load");

  for (int i = 0; i < 3; i++) {
    char name[32];
    hsa_executable_symbol_t kernel;
    snprintf(name, sizeof name, "%s.kd", kernels[i]);
    HSA(hsa_executable_get_symbol_by_name, executable, name, &gpu, &kernel);
    uint64_t index = F(hsa_queue_add_write_index_relaxed)(queue, 1);
    hsa_kernel_dispatch_packet_t *packet = (hsa_kernel_dispatch_packet_t *)queue->base_address + index % queue->size;
    memset(packet, 0, sizeof *packet);
    HSA(hsa_executable_symbol_get_info, kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &packet->kernel_object);
    HSA(hsa_executable_symbol_get_info, kernel, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
        &packet->private_segment_size);
    packet->workgroup_size_x = packet->workgroup_size_y = packet->workgroup_size_z = 1;
    packet->grid_size_x = packet->grid_size_y = packet->grid_size_z = 1;
    packet->completion_signal = signal;
    F(hsa_signal_store_relaxed)(signal, 1);
    uint16_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE | 1 << HSA_PACKET_HEADER_BARRIER |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
    __atomic_store_n((uint32_t *)packet, header | 1u << 16, __ATOMIC_RELEASE); /* setup: one dimension */
    F(hsa_signal_store_screlease)(queue->doorbell_signal, (hsa_signal_value_t)index);
    F(hsa_signal_wait_scacquire)(signal, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_ACTIVE);
    done(kernels[i] + 1);
  }
  HSA(hsa_signal_destroy, signal);
  HSA(hsa_queue_destroy, queue);
  HSA(hsa_executable_destroy, executable);
  HSA(hsa_code_object_reader_destroy, reader);
  HSA(hsa_shut_down);
  done("teardown");
}

/* The CUDA driver's functions, as its manual gives them. */
#define CUDA(NAME, TYPES, ...) must(((int (*) TYPES)symbol(#NAME))(__VA_ARGS__) == 0, #NAME)

static void run_cuda(const void *image) {
  int device;
  void *context, *module, *function;
  CUDA(cuInit, (unsigned), 0);
  CUDA(cuDeviceGet, (int *, int), &device, 0);
  CUDA(cuDevicePrimaryCtxRetain, (void **, int), &context, device);
  CUDA(cuCtxSetCurrent, (void *), context);
  done("device");
  CUDA(cuModuleLoadData, (void **, const void *), &module, image);
  done("load");
  for (int i = 0; i < 3; i++) {
    CUDA(cuModuleGetFunction, (void **, void *, const char *), &function, module, kernels[i]);
    CUDA(cuLaunchKernel,
         (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **), function,
         1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    CUDA(cuCtxSynchronize, (void));
    done(kernels[i] + 1);
  }
  CUDA(cuModuleUnload, (void *), module);
  CUDA(cuDevicePrimaryCtxRelease_v2, (int), device);
  done("teardown");
}

int main(int argc, char **argv) {
  last = now();
  must(argc >= 3, "usage: floor hsa LIBRARY IMAGE | floor cuda IMAGE: this");
  int is_hsa = strcmp(argv[1], "hsa") == 0;
  const char *path = argv[argc - 1];
  int file = open(path, O_RDONLY);
  struct stat information;
  must(file >= 0 && fstat(file, &information) == 0, path);
  char *image = calloc(1, (size_t)information.st_size + 1);
  must(image && read(file, image, (size_t)information.st_size) == information.st_size, path);
  done("parse");
  library = dlopen(is_hsa ? argv[2] : "libcuda.so.1", RTLD_NOW);
  if (!library) {
    fprintf(stderr, "floor: %s\n", dlerror());
    return 1;
  }
  if (is_hsa)
    run_hsa(image, (size_t)information.st_size);
  else
    run_cuda(image);
  printf("]}\n");
  fflush(stdout);
  _exit(0);
}
