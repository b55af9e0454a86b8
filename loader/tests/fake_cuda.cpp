//===-- loader/tests/fake_cuda.cpp - A CUDA driver that runs nothing ------===//
#include "loader/tests/fake_cuda.h"
#include "loader/device/cuda/declarations.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct Fake : fake_cuda::State {
  std::recursive_mutex mutex;
  std::atomic<int> kernels_running{0};
  std::map<CUdeviceptr, size_t> ranges; // every live piece of device memory
  std::map<CUdeviceptr, size_t> reserved, mapped, accessible, host;
  std::map<CUmemGenericAllocationHandle, size_t> created;
  std::map<std::string, std::string> functions; // name -> itself, for handles
  CUresult pending = CUDA_SUCCESS;              // of the stream
  bool context = false, initialised = false;
  FILE *log = nullptr;

  Fake() {
    globals["__llvm_rpc_client"] = 552;
    if (const char *text = getenv("FAKE_CUDA_DEVICES"))
      devices = atoi(text);
    if (const char *text = getenv("FAKE_CUDA_FAIL")) {
      std::string pair = text;
      size_t colon = pair.find(':');
      results[pair.substr(0, colon)] = atoi(pair.c_str() + colon + 1);
      jit_log = "ptxas application ptx input, line 7; error   : Unknown symbol "
                "'frob'\nptxas fatal   : Ptx assembly aborted due to errors\n";
    }
    if (const char *path = getenv("FAKE_CUDA_LOG"))
      log = fopen(path, "a");
    if (const char *name = getenv("FAKE_CUDA_HANG"))
      kernels[name] = [](const fake_cuda::Launch &) -> int {
        for (;;)
          pause();
      };
  }
};

Fake &fake() {
  static Fake *only = new Fake; // outlives every thread
  return *only;
}

thread_local CUcontext current = nullptr;

/// Notes the call; what it must fail with, or success.
CUresult enter(const char *name) {
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  f.calls.push_back(name);
  if (f.log) {
    fprintf(f.log, "%s\n", name);
    fflush(f.log);
  }
  if (!f.initialised && strcmp(name, "cuInit") != 0)
    f.violations.insert(std::string(name) + " before cuInit");
  if (auto left = f.out_of_memory.find(name);
      left != f.out_of_memory.end() && left->second > 0) {
    --left->second;
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  auto result = f.results.find(name);
  return result == f.results.end() ? CUDA_SUCCESS : CUresult(result->second);
}

/// For calls that a real driver may hold back until kernels have ended.
CUresult enter_idle(const char *name) {
  if (fake().kernels_running)
    fake().violations.insert(std::string(name) + " while a kernel runs");
  return enter(name);
}

void need_context(const char *name) {
  if (!current)
    fake().violations.insert(std::string(name) + " without a current context");
}

} // namespace

EXPORT fake_cuda::State *fake_cuda_state() { return &fake(); }

EXPORT CUresult cuInit(unsigned) {
  CUresult result = enter("cuInit");
  fake().initialised = true;
  return fake().devices == 0 ? CUDA_ERROR_NO_DEVICE : result;
}

EXPORT CUresult cuGetErrorName(CUresult error, const char **text) {
  switch (int(error)) {
  case CUDA_ERROR_INVALID_VALUE:
    *text = "CUDA_ERROR_INVALID_VALUE";
    break;
  case CUDA_ERROR_OUT_OF_MEMORY:
    *text = "CUDA_ERROR_OUT_OF_MEMORY";
    break;
  case CUDA_ERROR_NO_DEVICE:
    *text = "CUDA_ERROR_NO_DEVICE";
    break;
  case CUDA_ERROR_INVALID_PTX:
    *text = "CUDA_ERROR_INVALID_PTX";
    break;
  case CUDA_ERROR_NOT_FOUND:
    *text = "CUDA_ERROR_NOT_FOUND";
    break;
  case CUDA_ERROR_ILLEGAL_ADDRESS:
    *text = "CUDA_ERROR_ILLEGAL_ADDRESS";
    break;
  default:
    *text = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorString(CUresult error, const char **text) {
  switch (int(error)) {
  case CUDA_ERROR_NO_DEVICE:
    *text = "no CUDA-capable device is detected";
    break;
  case CUDA_ERROR_INVALID_PTX:
    *text = "a PTX JIT compilation failed";
    break;
  case CUDA_ERROR_ILLEGAL_ADDRESS:
    *text = "an illegal memory access was encountered";
    break;
  case CUDA_ERROR_OUT_OF_MEMORY:
    *text = "out of memory";
    break;
  default:
    *text = "some error";
  }
  return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int *count) {
  *count = fake().devices;
  return enter("cuDeviceGetCount");
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return ordinal < fake().devices ? enter("cuDeviceGet")
                                  : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  snprintf(name, size_t(length), "Fake GPU %d", device);
  return enter("cuDeviceGetName");
}

EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice) {
  *bytes = size_t(8) << 30;
  return enter("cuDeviceTotalMem_v2");
}

EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                                     CUdevice) {
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = 9;
    break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = 0;
    break;
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    *value = 4;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
    *value = 2048;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = 1024;
    break;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
    *value = 32;
    break;
  case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    *value = fake().maps_memory;
    break;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
  return enter("cuDeviceGetAttribute");
}

EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice, unsigned) {
  return enter("cuDevicePrimaryCtxSetFlags_v2");
}

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  *context = reinterpret_cast<CUcontext>(&fake().context);
  fake().context = true;
  return enter("cuDevicePrimaryCtxRetain");
}

EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
  fake().context = false;
  return enter("cuDevicePrimaryCtxRelease_v2");
}

EXPORT CUresult cuCtxSetCurrent(CUcontext context) {
  current = context;
  return enter("cuCtxSetCurrent");
}

EXPORT CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  need_context("cuCtxSetLimit");
  if (CUresult result = enter_idle("cuCtxSetLimit"))
    return result;
  if (limit != CU_LIMIT_STACK_SIZE)
    return CUDA_SUCCESS;
  if (value > fake().largest_stack)
    return CUDA_ERROR_OUT_OF_MEMORY;
  fake().stack = value;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *,
                                   unsigned count, CUjit_option *names,
                                   void **values) {
  need_context("cuModuleLoadDataEx");
  *module = reinterpret_cast<CUmodule>(&fake().globals);
  CUresult result = enter_idle("cuModuleLoadDataEx");
  char *log = nullptr;
  size_t size = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (names[i] == CU_JIT_ERROR_LOG_BUFFER)
      log = static_cast<char *>(values[i]);
    if (names[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      size = reinterpret_cast<size_t>(values[i]);
  }
  if (result != CUDA_SUCCESS && log && size)
    snprintf(log, size, "%s", fake().jit_log.c_str());
  return result;
}

EXPORT CUresult cuModuleUnload(CUmodule) {
  return enter_idle("cuModuleUnload");
}

EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule,
                                    const char *name) {
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  auto [entry, added] = f.functions.emplace(name, name);
  *function = reinterpret_cast<CUfunction>(&entry->second);
  return enter_idle("cuModuleGetFunction");
}

EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size,
                                     CUmodule, const char *name) {
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  if (getenv("FAKE_CUDA_ANY_GLOBAL"))
    f.globals.emplace(name, 4096);
  auto global = f.globals.find(name);
  if (global == f.globals.end()) {
    enter("cuModuleGetGlobal_v2");
    return CUDA_ERROR_NOT_FOUND;
  }
  void *&memory = f.global_memory[name];
  if (!memory) {
    memory = calloc(1, global->second);
    f.ranges[reinterpret_cast<CUdeviceptr>(memory)] = global->second;
    if (auto value = f.initial.find(name); value != f.initial.end())
      memcpy(memory, &value->second, sizeof(value->second));
  }
  *address = reinterpret_cast<CUdeviceptr>(memory);
  if (size)
    *size = global->second;
  return enter("cuModuleGetGlobal_v2");
}

EXPORT CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                                   CUfunction) {
  *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024
           : attribute == CU_FUNC_ATTRIBUTE_NUM_REGS            ? 40
                                                                : 0;
  return enter("cuFuncGetAttribute");
}

static CUresult give_memory(CUdeviceptr *address, size_t size) {
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<CUdeviceptr>(memory);
  f.ranges[*address] = size;
  ++f.live_allocations;
  return CUDA_SUCCESS;
}

static CUresult take_memory(const char *name, CUdeviceptr address) {
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  auto range = f.ranges.find(address);
  if (range == f.ranges.end()) {
    f.violations.insert(std::string(name) + " of what was not allocated");
    return CUDA_ERROR_INVALID_VALUE;
  }
  munmap(reinterpret_cast<void *>(address), range->second);
  f.ranges.erase(range);
  --f.live_allocations;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
  need_context("cuMemAlloc_v2");
  if (CUresult result = enter_idle("cuMemAlloc_v2"))
    return result;
  return give_memory(address, size);
}

EXPORT CUresult cuMemFree_v2(CUdeviceptr address) {
  if (CUresult result = enter_idle("cuMemFree_v2"))
    return result;
  return take_memory("cuMemFree_v2", address);
}

EXPORT CUresult cuMemGetInfo_v2(size_t *unused, size_t *total) {
  *unused = size_t(6) << 30;
  *total = size_t(8) << 30;
  return enter("cuMemGetInfo_v2");
}

EXPORT CUresult cuMemHostAlloc(void **memory, size_t size, unsigned) {
  need_context("cuMemHostAlloc");
  if (CUresult result = enter_idle("cuMemHostAlloc"))
    return result;
  CUdeviceptr address = 0;
  CUresult result = give_memory(&address, size);
  *memory = reinterpret_cast<void *>(address);
  // A driver promises nothing about what is in it.
  if (result == CUDA_SUCCESS)
    memset(*memory, 0xa5, size);
  fake().host[address] = size;
  return result;
}

EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *memory,
                                             unsigned) {
  *address = reinterpret_cast<CUdeviceptr>(memory);
  return enter("cuMemHostGetDevicePointer_v2");
}

EXPORT CUresult cuMemFreeHost(void *memory) {
  fake().host.erase(reinterpret_cast<CUdeviceptr>(memory));
  if (CUresult result = enter_idle("cuMemFreeHost"))
    return result;
  return take_memory("cuMemFreeHost", reinterpret_cast<CUdeviceptr>(memory));
}

/// The range that holds all of [address, address + size), or null.
static bool in_device(CUdeviceptr address, size_t size) {
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  for (auto *set : {&f.ranges, &f.accessible}) {
    auto next = set->upper_bound(address);
    if (next == set->begin())
      continue;
    auto [begin, length] = *std::prev(next);
    if (address - begin <= length && size <= length - (address - begin))
      return true;
  }
  return false;
}

EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from,
                                     size_t size, CUstream) {
  need_context("cuMemcpyHtoDAsync_v2");
  if (CUresult result = enter("cuMemcpyHtoDAsync_v2"))
    return result;
  if (!in_device(to, size))
    return CUDA_ERROR_INVALID_VALUE;
  memcpy(reinterpret_cast<void *>(to), from, size);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size,
                                     CUstream) {
  need_context("cuMemcpyDtoHAsync_v2");
  if (CUresult result = enter("cuMemcpyDtoHAsync_v2"))
    return result;
  if (!in_device(from, size))
    return CUDA_ERROR_INVALID_VALUE;
  memcpy(to, reinterpret_cast<void *>(from), size);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value,
                                size_t size, CUstream) {
  if (CUresult result = enter("cuMemsetD8Async"))
    return result;
  memset(reinterpret_cast<void *>(to), value, size);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuPointerGetAttribute(void *value,
                                      CUpointer_attribute attribute,
                                      CUdeviceptr address) {
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  enter("cuPointerGetAttribute");
  for (auto *set : {&f.ranges, &f.accessible}) {
    auto next = set->upper_bound(address);
    if (next == set->begin())
      continue;
    auto [begin, length] = *std::prev(next);
    if (address - begin >= length)
      continue;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr *>(value) = begin;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<size_t *>(value) = length;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!f.host.count(begin))
        return CUDA_ERROR_INVALID_VALUE;
      *static_cast<void **>(value) = reinterpret_cast<void *>(address);
      return CUDA_SUCCESS;
    }
  }
  return CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned) {
  need_context("cuStreamCreate");
  *stream = reinterpret_cast<CUstream>(&fake());
  return enter("cuStreamCreate");
}

EXPORT CUresult cuStreamDestroy_v2(CUstream) {
  return enter("cuStreamDestroy_v2");
}

EXPORT CUresult cuStreamSynchronize(CUstream) {
  if (CUresult result = enter("cuStreamSynchronize"))
    return result;
  CUresult result = fake().pending;
  fake().pending = CUDA_SUCCESS;
  return result;
}

/// Not at the first look.
EXPORT CUresult cuStreamQuery(CUstream) {
  if (CUresult result = enter("cuStreamQuery"))
    return result;
  static std::atomic<unsigned> looks = 0;
  if (looks++ % 2 == 0)
    return CUDA_ERROR_NOT_READY;
  CUresult result = fake().pending;
  fake().pending = CUDA_SUCCESS;
  return result;
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned bx, unsigned by,
                               unsigned bz, unsigned tx, unsigned ty,
                               unsigned tz, unsigned, CUstream, void **,
                               void **extra) {
  need_context("cuLaunchKernel");
  if (CUresult result = enter("cuLaunchKernel"))
    return result;
  Fake &f = fake();
  fake_cuda::Launch launch{*reinterpret_cast<std::string *>(function),
                           {bx, by, bz},
                           {tx, ty, tz},
                           {}};
  if (extra && extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER &&
      extra[2] == CU_LAUNCH_PARAM_BUFFER_SIZE &&
      extra[4] == CU_LAUNCH_PARAM_END) {
    auto *bytes = static_cast<std::byte *>(extra[1]);
    launch.arguments.assign(bytes, bytes + *static_cast<size_t *>(extra[3]));
  }
  f.launches.push_back(launch);
  auto kernel = f.kernels.find(launch.kernel);
  // As with CUDA_LAUNCH_BLOCKING=1: the launching thread does not come back.
  ++f.kernels_running;
  if (kernel != f.kernels.end())
    f.pending = CUresult(kernel->second(launch));
  --f.kernels_running;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAddressReserve(CUdeviceptr *address, size_t size,
                                    size_t alignment, CUdeviceptr,
                                    unsigned long long) {
  need_context("cuMemAddressReserve");
  if (CUresult result = enter_idle("cuMemAddressReserve"))
    return result;
  char *memory = static_cast<char *>(
      mmap(nullptr, size + alignment, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  CUdeviceptr begin = reinterpret_cast<CUdeviceptr>(memory);
  *address = (begin + alignment - 1) & -CUdeviceptr(alignment);
  fake().reserved[*address] = size;
  ++fake().live_allocations;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAddressFree(CUdeviceptr address, size_t size) {
  if (fake().mapped.count(address))
    fake().violations.insert("cuMemAddressFree of mapped memory");
  fake().live_allocations -= fake().reserved.erase(address);
  munmap(reinterpret_cast<void *>(address), size);
  return enter_idle("cuMemAddressFree");
}

EXPORT CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                            const CUmemAllocationProp *properties,
                            unsigned long long) {
  if (CUresult result = enter_idle("cuMemCreate"))
    return result;
  if (size % (2u << 20) || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
      properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  if (size > fake().largest_heap)
    return CUDA_ERROR_OUT_OF_MEMORY;
  fake().heap = size;
  *handle = fake().created.size() + 1;
  fake().created[*handle] = size;
  ++fake().live_allocations;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  fake().live_allocations -= fake().created.erase(handle);
  return enter_idle("cuMemRelease");
}

EXPORT CUresult cuMemMap(CUdeviceptr address, size_t size, size_t,
                         CUmemGenericAllocationHandle handle,
                         unsigned long long) {
  if (CUresult result = enter_idle("cuMemMap"))
    return result;
  if (fake().reserved[address] < size || fake().created[handle] != size)
    return CUDA_ERROR_INVALID_VALUE;
  fake().mapped[address] = size;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemUnmap(CUdeviceptr address, size_t) {
  fake().mapped.erase(address);
  fake().accessible.erase(address);
  return enter_idle("cuMemUnmap");
}

EXPORT CUresult cuMemSetAccess(CUdeviceptr address, size_t size,
                               const CUmemAccessDesc *access, size_t count) {
  if (CUresult result = enter_idle("cuMemSetAccess"))
    return result;
  if (fake().mapped[address] < size || count != 1 ||
      access->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
    return CUDA_ERROR_INVALID_VALUE;
  mprotect(reinterpret_cast<void *>(address), size, PROT_READ | PROT_WRITE);
  fake().accessible[address] = size;
  return CUDA_SUCCESS;
}

EXPORT CUresult
cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *,
                              CUmemAllocationGranularity_flags) {
  *granularity = 2u << 20;
  return enter("cuMemGetAllocationGranularity");
}
