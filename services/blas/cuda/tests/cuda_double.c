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
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 4096, OUT_OF_MEMORY = 2, LAUNCH_FAILED = 719 };
static _Atomic size_t in_use;
static _Atomic int calls;

static int fails(const char *function) {
  const char *wanted = getenv("CUDA_DOUBLE_FAIL");
  const size_t length = strlen(function);
  if (!wanted)
    calls = 0;
  if (!wanted || strncmp(wanted, function, length) || wanted[length] != ':')
    return 0;
  return ++calls == atoi(wanted + length + 1) ? LAUNCH_FAILED : 0;
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

#define DRIVER(NAME, ...)                                                      \
  int NAME(__VA_ARGS__);                                                       \
  int NAME(__VA_ARGS__)

DRIVER(cuInit, unsigned flags) {
  wait_for("CUDA_DOUBLE_START");
  return flags ? 1 : fails("cuInit");
}
DRIVER(cuDriverGetVersion, int *version) { return *version = 13000, 0; }
DRIVER(cuDeviceGet, int *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? 0 : 101;
}
DRIVER(cuDeviceGetName, char *name, int size, int device) {
  snprintf(name, (size_t)size, "double %d", device);
  return 0;
}
DRIVER(cuDevicePrimaryCtxRetain, void **context, int device) {
  static int one;
  *context = &one;
  return device;
}
DRIVER(cuCtxPushCurrent_v2, void *context) { return context ? 0 : 201; }
DRIVER(cuCtxPopCurrent_v2, void **context) { return *context = NULL, 0; }
DRIVER(cuCtxSetCurrent, void *context) { return context ? 0 : 201; }
DRIVER(cuMemGetInfo_v2, size_t *available, size_t *total) {
  *available = *total = memory();
  return 0;
}
DRIVER(cuMemAlloc_v2, uint64_t *address, size_t size) {
  if (in_use + size > memory())
    return OUT_OF_MEMORY;
  char *block = NULL;
  if (posix_memalign((void **)&block, HEADER, size + HEADER))
    return OUT_OF_MEMORY;
  memset(block, 0xa5, size + HEADER); // nobody relies on zeros
  memcpy(block, &size, sizeof size);
  in_use += size;
  *address = (uintptr_t)block + HEADER;
  return fails("cuMemAlloc");
}
DRIVER(cuMemFree_v2, uint64_t address) {
  char *block = (char *)(uintptr_t)address - HEADER;
  size_t size;
  memcpy(&size, block, sizeof size);
  in_use -= size;
  free(block);
  return 0;
}
DRIVER(cuMemHostAlloc, void **address, size_t size, unsigned flags) {
  *address = malloc(size);
  return flags;
}
DRIVER(cuMemcpyHtoDAsync_v2, uint64_t to, const void *from, size_t size,
       void *stream) {
  wait_for("CUDA_DOUBLE_DELAY");
  memcpy((void *)(uintptr_t)to, from, size);
  return stream ? fails("cuMemcpyHtoDAsync") : 1;
}
DRIVER(cuMemcpyDtoHAsync_v2, void *to, uint64_t from, size_t size,
       void *stream) {
  wait_for("CUDA_DOUBLE_DELAY");
  memcpy(to, (const void *)(uintptr_t)from, size);
  return stream ? fails("cuMemcpyDtoHAsync") : 1;
}
DRIVER(cuMemsetD8Async, uint64_t to, unsigned char byte, size_t size,
       void *stream) {
  memset((void *)(uintptr_t)to, byte, size);
  return stream ? 0 : 1;
}
DRIVER(cuMemsetD32Async, uint64_t to, unsigned word, size_t words,
       void *stream) {
  for (size_t i = 0; i < words; ++i)
    memcpy((char *)(uintptr_t)to + i * sizeof word, &word, sizeof word);
  return stream ? 0 : 1;
}
DRIVER(cuStreamCreate, void **stream, unsigned flags) {
  static int one;
  *stream = &one;
  return flags == 1 ? 0 : 1;
}
DRIVER(cuStreamDestroy_v2, void *stream) { return stream ? 0 : 1; }
DRIVER(cuStreamQuery, void *stream) {
  return stream ? fails("cuStreamQuery") : 1;
}
DRIVER(cuStreamSynchronize, void *stream) {
  return stream ? fails("cuStreamSynchronize") : 1;
}
DRIVER(cuEventCreate, void **event, unsigned flags) {
  static int one;
  *event = &one;
  return flags == 2 ? 0 : 1;
}
DRIVER(cuEventRecord, void *event, void *stream) {
  return event && stream ? 0 : 1;
}
DRIVER(cuEventSynchronize, void *event) { return event ? 0 : 1; }
DRIVER(cuGetErrorName, int error, const char **name) {
  *name = error == OUT_OF_MEMORY   ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
                                   : "CUDA_ERROR";
  return 0;
}
