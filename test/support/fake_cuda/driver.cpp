//===-- test/support/fake_cuda/driver.cpp - State, devices, modules -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/support/fake_cuda/driver.h"
#include <csignal>

namespace fake_cuda {

Fake &fake() {
  static Fake *only = new Fake; // outlives every thread
  return *only;
}

thread_local CUcontext current = nullptr;
/// What was current before each cuCtxPushCurrent_v2().
static thread_local std::vector<CUcontext> pushed;

/// Whether this call is the one that FAKE_CUDA_FAIL_ONCE names.
static bool fails_once(Fake &f, const char *name) {
  const char *wanted = getenv("FAKE_CUDA_FAIL_ONCE");
  const size_t length = strlen(name);
  if (!wanted)
    f.calls_to_fail = 0;
  return wanted && strncmp(wanted, name, length) == 0 &&
         wanted[length] == ':' &&
         ++f.calls_to_fail == atoi(wanted + length + 1);
}

CUresult enter(const char *name) {
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  if (f.records)
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
  if (fails_once(f, name))
    return CUDA_ERROR_LAUNCH_FAILED;
  auto result = f.results.find(name);
  return result == f.results.end() ? CUDA_SUCCESS : CUresult(result->second);
}

CUresult enter_idle(const char *name) {
  if (fake().kernels_running)
    fake().violations.insert(std::string(name) + " while a kernel runs");
  return enter(name);
}

void need_context(const char *name) {
  if (!current)
    fake().violations.insert(std::string(name) + " without a current context");
}

void delay(const char *variable) {
  if (const char *microseconds = getenv(variable))
    usleep(useconds_t(atoi(microseconds)));
}

__attribute__((constructor)) static void prepare_end() {
  if (getenv("FAKE_CUDA_SAY_END"))
    atexit([] { fprintf(stderr, "fake libcuda: the end\n"); });
}

} // namespace fake_cuda

EXPORT fake_cuda::State *fake_cuda_state() {
  fake().records = true;
  return &fake();
}

EXPORT CUresult cuInit(unsigned flags) {
  delay("FAKE_CUDA_START_DELAY");
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = enter("cuInit");
  fake().initialised = true;
  const char *wanted = getenv("CUDA_ENABLE_COREDUMP_ON_EXCEPTION"),
             *file = getenv("CUDA_COREDUMP_FILE");
  fake().core_dump = wanted && file && atoi(wanted) ? file : "";
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
  case CUDA_ERROR_LAUNCH_FAILED:
    *text = "CUDA_ERROR_LAUNCH_FAILED";
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

EXPORT CUresult cuDriverGetVersion(int *version) {
  *version = 13000;
  return enter("cuDriverGetVersion");
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
    if (auto known = fake().attributes.find(attribute);
        known != fake().attributes.end()) {
      *value = known->second;
      break;
    }
    return CUDA_ERROR_INVALID_VALUE;
  }
  return enter("cuDeviceGetAttribute");
}

EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice, unsigned) {
  return enter("cuDevicePrimaryCtxSetFlags_v2");
}

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (device < 0 || device >= fake().devices)
    return CUDA_ERROR_INVALID_DEVICE;
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

EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context) {
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  pushed.push_back(std::exchange(current, context));
  return enter("cuCtxPushCurrent_v2");
}

EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  if (pushed.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  *context = std::exchange(current, pushed.back());
  pushed.pop_back();
  return enter("cuCtxPopCurrent_v2");
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
  bool unoptimised = false;
  for (unsigned i = 0; i < count; ++i) {
    unoptimised |= names[i] == CU_JIT_OPTIMIZATION_LEVEL && !values[i];
    if (names[i] == CU_JIT_ERROR_LOG_BUFFER)
      log = static_cast<char *>(values[i]);
    if (names[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      size = reinterpret_cast<size_t>(values[i]);
  }
  // The compiler crashes unless it need not optimise.
  if (getenv("FAKE_CUDA_CRASH") && !unoptimised)
    raise(SIGSEGV);
  if (result != CUDA_SUCCESS && log && size)
    snprintf(log, size, "%s", fake().jit_log.c_str());
  return result;
}

EXPORT CUresult cuLinkCreate_v2(unsigned, CUjit_option *, void **,
                                CUlinkState *state) {
  need_context("cuLinkCreate_v2");
  *state = reinterpret_cast<CUlinkState>(&fake().globals);
  return enter_idle("cuLinkCreate_v2");
}
EXPORT CUresult cuLinkAddData_v2(CUlinkState, CUjitInputType, void *data,
                                 size_t size, const char *, unsigned,
                                 CUjit_option *, void **) {
  // A module each, whose zero byte counts.
  if (size == 0 || strlen(static_cast<char *>(data)) != size - 1)
    return CUDA_ERROR_INVALID_VALUE;
  return enter_idle("cuLinkAddData_v2");
}
EXPORT CUresult cuLinkComplete(CUlinkState state, void **cubin, size_t *size) {
  *cubin = state;
  *size = 1;
  return enter_idle("cuLinkComplete");
}
EXPORT CUresult cuLinkDestroy(CUlinkState) {
  return enter_idle("cuLinkDestroy");
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
                                                                : fake().local;
  return enter("cuFuncGetAttribute");
}
