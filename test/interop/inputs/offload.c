// Runs an image with LLVM's own offload runtime: nothing of gpuexec is linked, and LLVM's RPC server answers the program.
// With libhsa-runtime64.so of the emulator in the library path the "GPU" is emulated.
//   offload IMAGE [--threads N] [--blocks N] [--timings FILE] [ARGUMENT...]
// prints the device, runs the program, exits as it does; FILE gets the milliseconds of _start.
#include <stdbool.h> // OffloadAPI.h leaves it to C23

#include <offload/OffloadAPI.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void check(ol_result_t result, const char *what) {
  if (result != OL_SUCCESS) {
    fprintf(stderr, "offload: %s: error %u: %s\n", what, result->Code, result->Details);
    exit(1);
  }
}

struct devices {
  ol_platform_backend_t wanted;
  ol_device_handle_t gpu, host;
};

static ol_platform_backend_t backend_of(ol_device_handle_t device) {
  ol_platform_handle_t platform;
  ol_platform_backend_t backend;
  check(olGetDeviceInfo(device, OL_DEVICE_INFO_PLATFORM, sizeof(platform), &platform), "platform");
  check(olGetPlatformInfo(platform, OL_PLATFORM_INFO_BACKEND, sizeof(backend), &backend), "backend");
  return backend;
}

static bool look_at_device(ol_device_handle_t device, void *data) {
  struct devices *devices = data;
  ol_platform_backend_t backend = backend_of(device);
  if (backend == OL_PLATFORM_BACKEND_HOST)
    devices->host = device;
  else if (backend == devices->wanted && !devices->gpu)
    devices->gpu = device;
  return true;
}

static void *allocate(ol_device_handle_t device, ol_alloc_type_t type, size_t size) {
  void *memory = NULL;
  check(olMemAlloc(device, type, size, &memory), "allocation");
  return memory;
}

// Pointers, then the strings, in memory that the device sees.
static char **copy_strings(ol_device_handle_t device, int count, char **strings) {
  size_t size = sizeof(char *) * (count + 1);
  for (int i = 0; i < count; ++i)
    size += strlen(strings[i]) + 1;
  char **copy = allocate(device, OL_ALLOC_TYPE_HOST, size);
  char *text = (char *)(copy + count + 1);
  for (int i = 0; i < count; ++i) {
    copy[i] = text;
    text = stpcpy(text, strings[i]) + 1;
  }
  copy[count] = NULL;
  return copy;
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void launch(ol_device_handle_t device, ol_queue_handle_t queue, ol_program_handle_t program, const char *name,
                   const void *arguments, size_t size, unsigned blocks, unsigned threads) {
  ol_symbol_handle_t kernel;
  check(olGetSymbol(program, name, OL_SYMBOL_KIND_KERNEL, &kernel), name);
  ol_kernel_launch_size_args_t sizes = {1, {blocks, 1, 1}, {threads, 1, 1}, 0};
  check(olLaunchKernel(queue, device, kernel, arguments, size, &sizes), name);
  check(olSyncQueue(queue), name);
}

extern char **environ;

int main(int argc, char **argv) {
  unsigned threads = 1, blocks = 1;
  const char *timings = NULL;
  if (argc < 2) {
    fprintf(stderr, "usage: offload IMAGE [--threads N] [--blocks N] [--timings FILE] [ARGUMENT...]\n");
    return 1;
  }
  char *image_path = argv[1];
  argv += 1, argc -= 1;
  while (argc > 2 && !strncmp(argv[1], "--", 2)) {
    if (!strcmp(argv[1], "--timings"))
      timings = argv[2];
    else
      *(!strcmp(argv[1], "--threads") ? &threads : &blocks) = (unsigned)atoi(argv[2]);
    argv += 2, argc -= 2;
  }
  argv[0] = image_path;

  FILE *file = fopen(image_path, "rb");
  if (!file) {
    perror(image_path);
    return 1;
  }
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  void *image = malloc(size);
  if (fread(image, 1, size, file) != size)
    return 1;
  fclose(file);

  check(olInit(), "olInit");
  // ELF: the machine is the 16-bit word at 18; 190 is CUDA's.
  int is_cuda = size > 20 && ((unsigned char *)image)[18] == 190;
  struct devices devices = {is_cuda ? OL_PLATFORM_BACKEND_CUDA : OL_PLATFORM_BACKEND_AMDGPU, NULL, NULL};
  check(olIterateDevices(look_at_device, &devices), "olIterateDevices");
  if (!devices.gpu || !devices.host) {
    fprintf(stderr, "offload: no GPU found for this image\n");
    return 1;
  }
  char name[128] = "", vendor[128] = "";
  check(olGetDeviceInfo(devices.gpu, OL_DEVICE_INFO_NAME, sizeof(name), name), "name");
  check(olGetDeviceInfo(devices.gpu, OL_DEVICE_INFO_VENDOR, sizeof(vendor), vendor), "vendor");
  fprintf(stderr, "offload: device %s, vendor %s\n", name, vendor);

  ol_program_handle_t program;
  ol_queue_handle_t queue;
  check(olCreateProgram(devices.gpu, image, size, &program), "olCreateProgram");
  check(olCreateQueue(devices.gpu, &queue), "olCreateQueue");

  int environment = 0;
  while (environ[environment])
    ++environment;
  struct {
    int argc;
    char **argv, **envp;
    int *result;
  } arguments = {argc, copy_strings(devices.gpu, argc, argv), copy_strings(devices.gpu, environment, environ),
                 allocate(devices.gpu, OL_ALLOC_TYPE_DEVICE, sizeof(int))};
  int result = 0;
  check(olMemcpy(queue, arguments.result, devices.gpu, &result, devices.host, sizeof(int)), "olMemcpy");
  check(olSyncQueue(queue), "olSyncQueue");

  launch(devices.gpu, queue, program, "_begin", &arguments, 24, 1, 1);
  double begin = now_ms();
  launch(devices.gpu, queue, program, "_start", &arguments, sizeof(arguments), blocks, threads);
  double start = now_ms() - begin;
  launch(devices.gpu, queue, program, "_end", NULL, 0, 1, 1);

  check(olMemcpy(queue, &result, devices.host, arguments.result, devices.gpu, sizeof(int)), "olMemcpy");
  check(olSyncQueue(queue), "olSyncQueue");
  check(olMemFree(arguments.result), "olMemFree");
  check(olMemFree(arguments.argv), "olMemFree");
  check(olMemFree(arguments.envp), "olMemFree");
  check(olDestroyQueue(queue), "olDestroyQueue");
  check(olDestroyProgram(program), "olDestroyProgram");
  check(olShutDown(), "olShutDown");
  FILE *report = timings ? fopen(timings, "w") : NULL;
  if (report) {
    fprintf(report, "{\"unit\": \"ms\", \"phases\": [{\"name\": \"start\", \"time\": %.4f}]}\n", start);
    fclose(report);
  }
  free(image);
  return result;
}
