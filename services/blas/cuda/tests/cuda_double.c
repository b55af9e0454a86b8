//===-- services/blas/cuda/tests/cuda_double.c - A stand-in for libcuda ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device whose memory is other memory of the host, for machines without a
// GPU. What goes wrong is told by the environment:
//   CUDA_DOUBLE_MEMORY  bytes that the device has
//   CUDA_DOUBLE_FAIL    FUNCTION:N  the N-th call of the function fails
//   CUDA_DOUBLE_DELAY   microseconds that each copy takes
//   CUDA_DOUBLE_START   microseconds that cuInit takes
//   CUDA_DOUBLE_END     set: at the process's end it says so, as destructors
//                       of NVIDIA's libraries would do their work then
//===----------------------------------------------------------------------===//
#include "drivers/cuda.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { HEADER = 4096 };
static _Atomic size_t in_use;
static _Atomic int calls;

static CUresult fails(const char *function) {
  const char *wanted = getenv("CUDA_DOUBLE_FAIL");
  const size_t length = strlen(function);
  if (!wanted)
    calls = 0;
  if (!wanted || strncmp(wanted, function, length) || wanted[length] != ':')
    return CUDA_SUCCESS;
  return ++calls == atoi(wanted + length + 1) ? CUDA_ERROR_LAUNCH_FAILED
                                              : CUDA_SUCCESS;
}

static size_t memory(void) {
  const char *bytes = getenv("CUDA_DOUBLE_MEMORY");
  return bytes ? strtoull(bytes, NULL, 10) : (size_t)4 << 30;
}

static void say_end(void) { fprintf(stderr, "cuda-double: the end\n"); }

__attribute__((constructor)) static void start(void) {
  if (getenv("CUDA_DOUBLE_END"))
    atexit(say_end);
}

static void wait_for(const char *variable) {
  const char *delay = getenv(variable);
  if (delay)
    usleep((useconds_t)atoi(delay));
}

/// Whether the caller keeps the rule that a call relies on.
static CUresult expect(int is_right) {
  return is_right ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuInit(unsigned flags) {
  wait_for("CUDA_DOUBLE_START");
  return flags ? CUDA_ERROR_INVALID_VALUE : fails("cuInit");
}
CUresult cuDriverGetVersion(int *version) {
  return *version = 13000, CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  snprintf(name, (size_t)size, "double %d", device);
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  static int one;
  *context = (CUcontext)&one;
  return expect(device == 0);
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  *context = NULL;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  return context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuMemGetInfo_v2(size_t *available, size_t *total) {
  *available = *total = memory();
  return CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
  if (in_use + size > memory())
    return CUDA_ERROR_OUT_OF_MEMORY;
  char *block = NULL;
  if (posix_memalign((void **)&block, HEADER, size + HEADER))
    return CUDA_ERROR_OUT_OF_MEMORY;
  memset(block, 0xa5, size + HEADER); // nobody relies on zeros
  memcpy(block, &size, sizeof size);
  in_use += size;
  *address = (uintptr_t)block + HEADER;
  return fails("cuMemAlloc");
}
CUresult cuMemFree_v2(CUdeviceptr address) {
  char *block = (char *)(uintptr_t)address - HEADER;
  size_t size;
  memcpy(&size, block, sizeof size);
  in_use -= size;
  free(block);
  return CUDA_SUCCESS;
}
CUresult cuMemHostAlloc(void **address, size_t size, unsigned flags) {
  *address = malloc(size);
  return expect(flags == 0);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size,
                              CUstream stream) {
  wait_for("CUDA_DOUBLE_DELAY");
  memcpy((void *)(uintptr_t)to, from, size);
  return stream ? fails("cuMemcpyHtoDAsync") : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size,
                              CUstream stream) {
  wait_for("CUDA_DOUBLE_DELAY");
  memcpy(to, (const void *)(uintptr_t)from, size);
  return stream ? fails("cuMemcpyDtoHAsync") : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char byte, size_t size,
                         CUstream stream) {
  memset((void *)(uintptr_t)to, byte, size);
  return expect(stream != NULL);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned word, size_t words,
                          CUstream stream) {
  for (size_t i = 0; i < words; ++i)
    memcpy((char *)(uintptr_t)to + i * sizeof word, &word, sizeof word);
  return expect(stream != NULL);
}
CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  static int one;
  *stream = (CUstream)&one;
  return expect(flags == CU_STREAM_NON_BLOCKING);
}
CUresult cuStreamDestroy_v2(CUstream stream) { return expect(stream != NULL); }
CUresult cuStreamQuery(CUstream stream) {
  return stream ? fails("cuStreamQuery") : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuStreamSynchronize(CUstream stream) {
  return stream ? fails("cuStreamSynchronize") : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuEventCreate(CUevent *event, unsigned flags) {
  static int one;
  *event = (CUevent)&one;
  return expect(flags == CU_EVENT_DISABLE_TIMING);
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return expect(event && stream);
}
CUresult cuEventSynchronize(CUevent event) { return expect(event != NULL); }
CUresult cuGetErrorName(CUresult error, const char **name) {
  *name = error == CUDA_ERROR_OUT_OF_MEMORY   ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == CUDA_ERROR_LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
                                              : "CUDA_ERROR";
  return CUDA_SUCCESS;
}
