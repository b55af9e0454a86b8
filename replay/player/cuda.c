//===-- replay/player/cuda.c - An NVIDIA GPU ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primary context, a stream for kernels and one for copies while they run.
// The driver may wait for kernels before it allocates: all memory that is
// needed is allocated before the first launch.
//===----------------------------------------------------------------------===//
#include "drivers/cuda.h"
#include "gpu/start_up.h"
#include "replay/player/device.h"
#include "replay/player/ranges.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { BOUNCE = 256 << 10, SMALL = 256 << 10, SMALLEST_HEAP = 64 << 10 };
enum { LINE = 256, SET_UP = 16 * LINE };
/// Bytes of a piece of mapped memory, as in gpuexec.
static const uint64_t UNIT = 2 << 20;

#define CUDA_FUNCTIONS(F)                                                      \
  F(cuInit)                                                                    \
  F(cuGetErrorName)                                                            \
  F(cuGetErrorString)                                                          \
  F(cuDeviceGet)                                                               \
  F(cuDeviceGetAttribute)                                                      \
  F(cuDevicePrimaryCtxRetain)                                                  \
  F(cuCtxSetCurrent)                                                           \
  F(cuCtxSetLimit)                                                             \
  F(cuModuleLoadDataEx)                                                        \
  F(cuModuleGetFunction)                                                       \
  F(cuModuleGetGlobal_v2)                                                      \
  F(cuFuncGetAttribute)                                                        \
  F(cuMemAlloc_v2)                                                             \
  F(cuMemAddressReserve)                                                       \
  F(cuMemCreate)                                                               \
  F(cuMemMap)                                                                  \
  F(cuMemSetAccess)                                                            \
  F(cuMemGetInfo_v2)                                                           \
  F(cuMemHostAlloc)                                                            \
  F(cuMemHostGetDevicePointer_v2)                                              \
  F(cuMemcpyHtoDAsync_v2)                                                      \
  F(cuMemcpyDtoHAsync_v2)                                                      \
  F(cuPointerGetAttribute)                                                     \
  F(cuStreamCreate)                                                            \
  F(cuStreamQuery)                                                             \
  F(cuStreamSynchronize)                                                       \
  F(cuLaunchKernel)

struct cuda_api {
  CUDA_FUNCTIONS(DRIVER_MEMBER)
};

struct cuda_device {
  struct device device;
  struct cuda_api api;
  const struct plan *plan;
  CUmodule module;
  CUstream stream, copies;
  CUfunction functions[MOST_KERNELS];
  bool launched;            ///< since the last time that all had ended
  bool begun;               ///< ever
  uint8_t *bounce;          ///< pinned
  struct host_memory small; ///< pinned: for what is set up
  uint64_t small_used;
  uint64_t stack; ///< bytes of each thread
  struct ranges heap;
  CUdeviceptr heap_begin;
  uint64_t heap_size;
  uint64_t set_up_used; ///< of SET_UP bytes behind the program's heap
  uint64_t known_begin, known_size; ///< an allocation that the driver has
};

static struct cuda_device *cuda_of(struct device *device) {
  return (struct cuda_device *)device;
}

static const char *describe(struct cuda_device *cuda, CUresult result) {
  const char *text = NULL;
  return cuda->api.cuGetErrorString(result, &text) == 0 && text
             ? text
             : "unknown error";
}
static const char *name_of(struct cuda_device *cuda, CUresult result) {
  const char *text = NULL;
  return cuda->api.cuGetErrorName(result, &text) == 0 && text ? text : "?";
}

static void check(struct cuda_device *cuda, CUresult result, const char *what) {
  if (result)
    fail(STATUS_FAILED, "cuda: %s: %s (%s)", what, describe(cuda, result),
         name_of(cuda, result));
}

//===-- Memory ------------------------------------------------------------===//

static struct host_memory pinned(struct cuda_device *cuda, uint64_t size) {
  struct host_memory memory = {0};
  CUdeviceptr address = 0;
  check(cuda,
        cuda->api.cuMemHostAlloc((void **)&memory.host, size,
                                 CU_MEMHOSTALLOC_PORTABLE |
                                     CU_MEMHOSTALLOC_DEVICEMAP),
        "allocating pinned memory");
  check(cuda, cuda->api.cuMemHostGetDevicePointer_v2(&address, memory.host, 0),
        "address of pinned memory");
  memory.address = address;
  memset(memory.host, 0, size);
  return memory;
}

static struct host_memory allocate_host(struct device *device, uint64_t size) {
  struct cuda_device *cuda = cuda_of(device);
  if (size > SMALL - cuda->small_used)
    return pinned(cuda, size);
  const struct host_memory memory = {cuda->small.host + cuda->small_used,
                                     cuda->small.address + cuda->small_used};
  cuda->small_used += (size + LINE - 1) & ~(uint64_t)(LINE - 1);
  if (cuda->small_used > SMALL)
    cuda->small_used = SMALL;
  return memory;
}

/// Memory that is allocated before the program begins is not taken from its
/// heap, so that the heap's addresses are the same as under gpuexec.
static uint64_t allocate_memory(struct device *device, uint64_t size,
                                uint64_t alignment) {
  struct cuda_device *cuda = cuda_of(device);
  const uint64_t lines = (size + LINE - 1) / LINE * LINE;
  if (!cuda->begun && lines <= SET_UP - cuda->set_up_used) {
    cuda->set_up_used += lines;
    return cuda->heap_begin + cuda->heap_size - cuda->set_up_used;
  }
  return take_range(&cuda_of(device)->heap, size, alignment);
}

static bool free_memory(struct device *device, uint64_t address) {
  return give_range(&cuda_of(device)->heap, address);
}

/// Whether one allocation of the driver holds the whole range.
static bool holds(struct device *device, uint64_t address, uint64_t size,
                  bool writes) {
  struct cuda_device *cuda = cuda_of(device);
  (void)writes; // code is not among what the driver knows as memory
  CUdeviceptr begin = 0;
  size_t length = 0;
  if ((address >= cuda->heap_begin &&
       in_range(address - cuda->heap_begin, size, cuda->heap_size)) ||
      (address >= cuda->known_begin &&
       in_range(address - cuda->known_begin, size, cuda->known_size)))
    return true;
  if (cuda->api.cuPointerGetAttribute(
          &begin, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) ||
      cuda->api.cuPointerGetAttribute(&length, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                      address) ||
      address < begin || !in_range(address - begin, size, length))
    return false;
  cuda->known_begin = begin;
  cuda->known_size = length;
  return true;
}

/// Copies through pinned memory, because the driver may wait for kernels before
/// it copies other memory. `to` is NULL for a copy to the device.
static int copy(struct device *device, void *to, const void *from,
                uint64_t address, uint64_t size) {
  struct cuda_device *cuda = cuda_of(device);
  const struct cuda_api *api = &cuda->api;
  // Copies before a launch go into the kernels' stream, so that they are in
  // order.
  const CUstream stream = cuda->launched ? cuda->copies : cuda->stream;
  if (!holds(device, address, size, !to))
    return EFAULT;
  for (uint64_t done = 0; done < size;) {
    const uint64_t left = size - done, step = left < BOUNCE ? left : BOUNCE;
    if (!to)
      memcpy(cuda->bounce, (const uint8_t *)from + done, step);
    CUresult result = to ? api->cuMemcpyDtoHAsync_v2(
                               cuda->bounce, address + done, step, stream)
                         : api->cuMemcpyHtoDAsync_v2(
                               address + done, cuda->bounce, step, stream);
    while (!result &&
           (result = api->cuStreamQuery(stream)) == CUDA_ERROR_NOT_READY)
      result = CUDA_SUCCESS;
    if (result)
      return EFAULT;
    if (to)
      memcpy((uint8_t *)to + done, cuda->bounce, step);
    done += step;
  }
  return 0;
}

static int read_device(struct device *device, void *to, uint64_t from,
                       uint64_t size) {
  return copy(device, to, NULL, from, size);
}
static int write_device(struct device *device, uint64_t to, const void *from,
                        uint64_t size) {
  return copy(device, NULL, from, to, size);
}

/// Reserves the addresses at which gpuexec has a program's heap, for programs
/// that print addresses: the first ones that the driver gives for a range of
/// the size of the device's memory. Reserves none if the driver cannot do that.
static void reserve_heap(struct cuda_device *cuda) {
  size_t unused = 0, total = 0;
  if (cuda->api.cuMemGetInfo_v2(&unused, &total) ||
      cuda->api.cuMemAddressReserve(&cuda->heap_begin,
                                    (total + UNIT - 1) & -UNIT, UNIT, 0, 0))
    cuda->heap_begin = 0;
}

/// Maps memory at those addresses. False: the driver cannot do that.
static bool map_reserved(struct cuda_device *cuda, uint64_t size) {
  const struct cuda_api *api = &cuda->api;
  const CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                          .location = location};
  const CUmemAccessDesc access = {location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemGenericAllocationHandle memory = 0;
  return cuda->heap_begin && !api->cuMemCreate(&memory, size, &properties, 0) &&
         !api->cuMemMap(cuda->heap_begin, size, 0, memory, 0) &&
         !api->cuMemSetAccess(cuda->heap_begin, size, &access, 1);
}

static void map_heap(struct cuda_device *cuda) {
  const uint64_t largest = 512u << 20;
  size_t unused = 0, total = 0;
  uint64_t size = cuda->plan->heap_wanted;
  check(cuda, cuda->api.cuMemGetInfo_v2(&unused, &total), "free memory");
  if (size == HEAP_UNKNOWN)
    size = unused / 4 < largest ? unused / 4 : largest;
  if (cuda->plan->heap_size && size > cuda->plan->heap_size)
    size = cuda->plan->heap_size;
  size = (size + SMALLEST_HEAP + UNIT - 1) & -UNIT;
  if (!map_reserved(cuda, size))
    check(cuda, cuda->api.cuMemAlloc_v2(&cuda->heap_begin, size),
          "allocating the heap");
  make_ranges(&cuda->heap, cuda->heap_begin, size - SET_UP);
  cuda->heap_size = size;
}

//===-- Images ------------------------------------------------------------===//

/// Sets the stack of a thread, which the driver reserves for all threads that
/// the device could run at once: as loader/device/cuda/device.cpp.
static void set_stack(struct cuda_device *cuda) {
  const uint64_t smallest = 3072, usual_most = 8192, deep_most = 64 << 10;
  const struct cuda_api *api = &cuda->api;
  CUdevice device = 0;
  int units = 0, threads_of_unit = 0;
  size_t unused = 0, total = 0;
  api->cuDeviceGet(&device, 0);
  check(cuda,
        api->cuDeviceGetAttribute(
            &units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
        "attributes of the device");
  check(cuda,
        api->cuDeviceGetAttribute(
            &threads_of_unit,
            CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, device),
        "attributes of the device");
  check(cuda, api->cuMemGetInfo_v2(&unused, &total), "free memory");
  const uint64_t threads = units > 0 && threads_of_unit > 0
                               ? (uint64_t)units * (uint64_t)threads_of_unit
                               : 1;
  uint64_t usual = total / 32 / threads;
  usual = usual < smallest ? smallest : usual > usual_most ? usual_most : usual;
  uint64_t deep = unused / 8 / threads & ~(uint64_t)1023;
  deep = deep < usual ? usual : deep > deep_most ? deep_most : deep;
  cuda->stack = cuda->plan->stack_size      ? cuda->plan->stack_size
                : cuda->plan->unknown_stack ? deep
                                            : usual;
  check(cuda, api->cuCtxSetLimit(CU_LIMIT_STACK_SIZE, cuda->stack),
        "setting the stack size");
}

static bool find_global(struct device *device, const char *name,
                        uint64_t *address) {
  struct cuda_device *cuda = cuda_of(device);
  size_t size = 0;
  CUdeviceptr found = 0;
  const CUresult result =
      cuda->api.cuModuleGetGlobal_v2(&found, &size, cuda->module, name);
  *address = found;
  if (result != CUDA_ERROR_NOT_FOUND)
    check(cuda, result, "address of a variable");
  return result == 0;
}

static void write_stack_limits(struct cuda_device *cuda) {
  const uint64_t size = cuda->stack < UINT32_MAX ? cuda->stack : UINT32_MAX;
  const uint64_t least = size / 2 < 16 << 10 ? size / 2 : 16 << 10,
                 for_functions = least > size / 4 ? least : size / 4,
                 for_message = size / 4 < 2 << 10 ? size / 4 : 2 << 10;
  const uint32_t limits[] = {(uint32_t)(size - for_functions),
                             (uint32_t)(size - for_message), (uint32_t)size};
  uint64_t address;
  if (find_global(&cuda->device, GPUEXEC_STACK_LIMITS, &address) &&
      write_device(&cuda->device, address, limits, sizeof limits))
    fail(STATUS_FAILED, "cuda: writing the limits of the stack");
}

/// Makes the driver load the kernels' code, which it must not do while kernels
/// run.
static void prepare_kernels(struct cuda_device *cuda) {
  for (unsigned i = 0; i < cuda->plan->kernel_count; ++i) {
    int stack = 0;
    const char *symbol = cuda->plan->kernels[i].symbol;
    const CUresult result = cuda->api.cuModuleGetFunction(&cuda->functions[i],
                                                          cuda->module, symbol);
    if (result)
      fail(STATUS_NOT_RUNNABLE, "%s: kernel '%s': %s", cuda->plan->program,
           symbol, describe(cuda, result));
    // The driver takes memory for a kernel that needs more, and waits.
    if (cuda->api.cuFuncGetAttribute(&stack, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                                     cuda->functions[i]) ||
        (uint64_t)stack > cuda->stack)
      cuda->device.queues = false;
  }
}

static void load(struct device *device, const struct plan *plan,
                 struct bytes image) {
  struct cuda_device *cuda = cuda_of(device);
  cuda->plan = plan;
  set_stack(cuda);
  // PTX is text with a NUL behind it; of several modules it must be linked.
  uint8_t *copy = allocate(image.size + 1, 1);
  memcpy(copy, image.data, image.size);
  const size_t text = strnlen((const char *)copy, image.size);
  if (plan->is_ptx && text + 1 < image.size)
    fail(STATUS_NOT_RUNNABLE,
         "%s: PTX of several modules, which gpuexec --replay links",
         plan->program);
  const CUresult result =
      cuda->api.cuModuleLoadDataEx(&cuda->module, copy, 0, NULL, NULL);
  if (result)
    fail(STATUS_NOT_RUNNABLE, "%s: the device cannot load it: %s (%s)",
         plan->program, describe(cuda, result), name_of(cuda, result));
  free(copy);
  cuda->device.queues = true;
  prepare_kernels(cuda);
  map_heap(cuda);
  write_stack_limits(cuda);
  write_recursion_limit(&cuda->device, cuda->plan->recursion_size);
}

static uint64_t clock_frequency(struct device *device) {
  (void)device;
  return 0;
}

//===-- Launching ---------------------------------------------------------===//

static bool is_fault(CUresult result) {
  return result == CUDA_ERROR_ILLEGAL_ADDRESS || result == CUDA_ERROR_ASSERT ||
         (result >= CUDA_ERROR_HARDWARE_STACK_ERROR &&
          result <= CUDA_ERROR_LAUNCH_FAILED);
}

_Noreturn static void kernel_failed(struct cuda_device *cuda, CUresult result) {
  if (is_fault(result))
    end_by_fault(&cuda->device, SIGSEGV, "",
                 "%s: a kernel: %s (%s); each thread had %llu bytes of stack",
                 cuda->plan->program, describe(cuda, result),
                 name_of(cuda, result), (unsigned long long)cuda->stack);
  fail(STATUS_FAILED, "cuda: %s: a kernel: %s (%s)", cuda->plan->program,
       describe(cuda, result), name_of(cuda, result));
}

static void launch(struct device *device, const struct kernel *kernel,
                   const struct grid *grid, const void *arguments) {
  struct cuda_device *cuda = cuda_of(device);
  size_t size = kernel->arguments_size;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)arguments,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  CUfunction function = cuda->functions[kernel - cuda->plan->kernels];
  const CUresult result = cuda->api.cuLaunchKernel(
      function, grid->blocks[0], grid->blocks[1], grid->blocks[2],
      grid->threads[0], grid->threads[1], grid->threads[2], 0, cuda->stream,
      NULL, size ? extra : NULL);
  if (result)
    kernel_failed(cuda, result);
  cuda->launched = cuda->begun = true;
}

static bool runs(struct device *device) {
  struct cuda_device *cuda = cuda_of(device);
  if (!cuda->launched)
    return false;
  const CUresult result = cuda->api.cuStreamQuery(cuda->stream);
  if (result == CUDA_ERROR_NOT_READY)
    return true;
  if (result)
    kernel_failed(cuda, result);
  cuda->launched = false;
  return false;
}

//===-- Opening -----------------------------------------------------------===//

struct device *open_cuda(bool forced) {
  struct cuda_device *cuda = allocate(1, sizeof *cuda);
  const char *missing = NULL;
  CUdevice device = 0;
  CUresult result;
  CUcontext context = NULL;
  setenv("CUDA_LAUNCH_BLOCKING", "0",
         1); // this thread serves while a kernel runs
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library)
    missing = bind_functions(library, CUDA_FUNCTIONS(DRIVER_NAME), &cuda->api);
  if (!library || missing) {
    if (forced)
      fail(STATUS_FAILED, "no device cuda: %s%s",
           missing ? "libcuda.so.1: missing symbol " : dlerror(),
           missing ? missing : "");
    return NULL;
  }
  const struct cuda_api *api = &cuda->api;
  result = api->cuInit(0);
  if (!result)
    result = api->cuDeviceGet(&device, 0);
  if (result && !forced)
    return NULL;
  check(cuda, result, "cuInit");
  check(cuda, api->cuDevicePrimaryCtxRetain(&context, device),
        "opening the device");
  check(cuda, api->cuCtxSetCurrent(context), "cuCtxSetCurrent");
  reserve_heap(cuda);
  check(cuda, api->cuStreamCreate(&cuda->stream, CU_STREAM_NON_BLOCKING),
        "creating a stream");
  check(cuda, api->cuStreamCreate(&cuda->copies, CU_STREAM_NON_BLOCKING),
        "creating a stream");
  const struct host_memory memory = pinned(cuda, BOUNCE + SMALL);
  cuda->bounce = memory.host;
  cuda->small =
      (struct host_memory){memory.host + BOUNCE, memory.address + BOUNCE};
  cuda->device = (struct device){.name = "cuda",
                                 .load = load,
                                 .find_global = find_global,
                                 .allocate_host = allocate_host,
                                 .allocate = allocate_memory,
                                 .free = free_memory,
                                 .holds = holds,
                                 .read = read_device,
                                 .write = write_device,
                                 .clock_frequency = clock_frequency,
                                 .launch = launch,
                                 .runs = runs};
  return &cuda->device;
}
