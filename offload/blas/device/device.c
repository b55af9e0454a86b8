//===-- offload/blas/device/device.c - See device.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/device/device.h"
#include "offload/blas/device/destructors.h"
#include "offload/blas/device/solver.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The functions of the driver that are used; CUDA 11 and later has them.
#define CUDA_FUNCTIONS(F)                                                      \
  F(cuInit)                                                                    \
  F(cuDriverGetVersion)                                                        \
  F(cuDeviceGet)                                                               \
  F(cuDeviceGetName)                                                           \
  F(cuDevicePrimaryCtxRetain)                                                  \
  F(cuCtxPushCurrent_v2)                                                       \
  F(cuCtxPopCurrent_v2)                                                        \
  F(cuMemGetInfo_v2)                                                           \
  F(cuMemAlloc_v2)                                                             \
  F(cuMemFree_v2)                                                              \
  F(cuMemHostAlloc)                                                            \
  F(cuMemcpyHtoDAsync_v2)                                                      \
  F(cuMemcpyDtoHAsync_v2)                                                      \
  F(cuMemsetD32Async)                                                          \
  F(cuStreamCreate)                                                            \
  F(cuStreamSynchronize)                                                       \
  F(cuEventCreate)                                                             \
  F(cuEventRecord)                                                             \
  F(cuEventSynchronize)                                                        \
  F(cuGetErrorName)

struct cuda_functions {
  CUDA_FUNCTIONS(DRIVER_MEMBER)
};

enum { WORKSPACE_SIZE = 32 << 20 };

static int load_driver(offload_device *d, const char *library) {
  d->library = dlopen(library ? library : "libcuda.so.1", RTLD_NOW);
  if (!d->library) {
    snprintf(d->error, sizeof d->error, "%s", dlerror());
    return DEVICE_FAILED;
  }
  static struct cuda_functions functions;
  d->cuda = &functions;
  const char *missing =
      bind_functions(d->library, CUDA_FUNCTIONS(DRIVER_NAME), &functions);
  if (missing) {
    snprintf(d->error, sizeof d->error, "the driver has no %s", missing);
    return DEVICE_FAILED;
  }
  return DEVICE_OK;
}

/// Notes in `error` which function has failed, if one has. Returns a code of
/// device.h.
static int check(offload_device *d, CUresult status, const char *function) {
  if (status == CUDA_SUCCESS)
    return DEVICE_OK;
  const char *name = NULL;
  d->cuda->cuGetErrorName(status, &name);
  snprintf(d->error, sizeof d->error, "%s: %s (%d)", function,
           name ? name : "unknown error", (int)status);
  return status == CUDA_ERROR_OUT_OF_MEMORY ? DEVICE_NO_MEMORY : DEVICE_FAILED;
}
#define CHECK(CALL, ...) check(d, d->cuda->CALL(__VA_ARGS__), #CALL)

static int open_blas(offload_device *d, const offload_settings *settings) {
  // Has the tests' stand-in for cuBLAS call the BLAS that it is linked with,
  // not our functions before it.
  if (settings->libcublas)
    dlopen(settings->libcublas, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  const char *error = open_cublas(&d->blas, settings->libcublas);
  if (error && !settings->libcublas) // the folder of NVIDIA's packages
    error = open_cublas(&d->blas, "/usr/local/cuda/lib64/libcublas.so");
  if (error) {
    snprintf(d->error, sizeof d->error, "%s", error);
    return DEVICE_FAILED;
  }
  int status = d->blas.create(&d->handle);
  if (status == 0)
    status = d->blas.set_stream(d->handle, d->stream);
  // cuBLAS gives the same result bit by bit where one stream has its own
  // workspace. Its default mode computes in the precision of the operands.
  if (status == 0 && device_allocate(d, WORKSPACE_SIZE, &d->workspace) == 0)
    status = d->blas.set_workspace(d->handle, (void *)(uintptr_t)d->workspace,
                                   WORKSPACE_SIZE);
  if (status == 0)
    return DEVICE_OK;
  snprintf(d->error, sizeof d->error, "cuBLAS cannot start: status %d", status);
  return DEVICE_FAILED;
}

static int open_streams(offload_device *d) {
  size_t total = 0;
  int error = CHECK(cuMemGetInfo_v2, &d->memory, &total);
  if (!error)
    error = CHECK(cuStreamCreate, &d->stream, CU_STREAM_NON_BLOCKING);
  for (int i = 0; !error && i < 2; ++i) {
    error = CHECK(cuMemHostAlloc, (void **)&d->staging[i], STAGING_SIZE, 0);
    if (!error)
      error = CHECK(cuEventCreate, &d->events[i], CU_EVENT_DISABLE_TIMING);
  }
  return error;
}

static int open_all(offload_device *d, const offload_settings *settings,
                    const int *stopping) {
  CUdevice device = 0;
  if (__atomic_load_n(stopping, __ATOMIC_ACQUIRE))
    return DEVICE_FAILED;
  int error = load_driver(d, settings->libcuda);
  if (!error && __atomic_load_n(stopping, __ATOMIC_ACQUIRE))
    return DEVICE_FAILED;
  if (!error)
    error = CHECK(cuInit, 0);
  if (!error)
    error = CHECK(cuDriverGetVersion, &d->driver);
  if (!error)
    error = CHECK(cuDeviceGet, &device, settings->device);
  if (!error)
    error = CHECK(cuDeviceGetName, d->name, (int)sizeof d->name, device);
  if (!error && !__atomic_load_n(stopping, __ATOMIC_ACQUIRE))
    error = CHECK(cuDevicePrimaryCtxRetain, &d->context, device);
  if (error || !d->context)
    return DEVICE_FAILED;
  error = device_enter(d);
  if (error)
    return DEVICE_FAILED;
  error = open_streams(d);
  if (!error && !__atomic_load_n(stopping, __ATOMIC_ACQUIRE))
    error = open_blas(d, settings);
  if (!error && d->handle) {
    solver_open(d, settings);
    team_start(&d->team, settings->copiers);
  }
  device_leave(d);
  return error || !d->handle ? DEVICE_FAILED : DEVICE_OK;
}

int device_open(offload_device *d, const offload_settings *settings,
                const int *stopping) {
  memset(d, 0, sizeof *d);
  const int dropped = drop_destructors(1);
  const int error = open_all(d, settings, stopping);
  drop_destructors(dropped);
  if (error && !*d->error)
    snprintf(d->error, sizeof d->error,
             "the program ended while it was being opened");
  return error;
}

int device_enter(offload_device *d) {
  return CHECK(cuCtxPushCurrent_v2, d->context);
}

void device_leave(offload_device *d) {
  CUcontext context;
  d->cuda->cuCtxPopCurrent_v2(&context);
}

int device_allocate(offload_device *d, size_t size, uint64_t *address) {
  CUdeviceptr allocated = 0;
  const int error = CHECK(cuMemAlloc_v2, &allocated, size);
  *address = allocated;
  return error;
}

void device_free(offload_device *d, uint64_t address) {
  d->cuda->cuMemFree_v2(address);
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/// How many lines go into one piece, or 0: a line takes several pieces.
static size_t lines_of_piece(const host_lines *m) {
  return STAGING_SIZE / m->device_pitch;
}

static int is_contiguous(const host_lines *m) {
  return m->pitch == m->width && m->device_pitch == m->width;
}

/// A job of the copy team: bytes, in blocks.
typedef struct {
  char *to;
  const char *from;
  size_t size;
} byte_copy;

enum { BLOCK = 64 << 10 };

static void copy_blocks(void *job, size_t begin, size_t end) {
  const byte_copy *c = job;
  const size_t first = begin * BLOCK, last = smaller(end * BLOCK, c->size);
  memcpy(c->to + first, c->from + first, last - first);
}

static void copy_bytes(offload_device *d, char *to, const char *from,
                       size_t size) {
  byte_copy copy = {to, from, size};
  team_do(&d->team, copy_blocks, &copy, (size + BLOCK - 1) / BLOCK, size);
}

/// A job of the copy team: lines of a matrix, from or to a piece of staging
/// memory.
typedef struct {
  const host_lines *matrix;
  char *piece;
  size_t line; ///< of the matrix: the first one in the piece
  line_part part;
  size_t element;
} line_copy;

static int send(offload_device *d, int buffer, uint64_t to, size_t size) {
  const int error =
      CHECK(cuMemcpyHtoDAsync_v2, to, d->staging[buffer], size, d->stream);
  return error ? error : CHECK(cuEventRecord, d->events[buffer], d->stream);
}

static int upload_bytes(offload_device *d, const char *from, size_t size,
                        uint64_t to) {
  for (size_t at = 0, piece = 0; at < size; ++piece) {
    const int buffer = piece & 1;
    const size_t part = smaller(size - at, STAGING_SIZE);
    int error = piece > 1 ? CHECK(cuEventSynchronize, d->events[buffer]) : 0;
    if (error)
      return error;
    copy_bytes(d, d->staging[buffer], from + at, part);
    if ((error = send(d, buffer, to + at, part)))
      return error;
    at += part;
  }
  return CHECK(cuStreamSynchronize, d->stream);
}

static void gather_lines(void *job, size_t begin, size_t end) {
  const line_copy *c = job;
  const host_lines *m = c->matrix;
  for (size_t i = begin; i < end; ++i)
    memcpy(c->piece + i * m->device_pitch,
           m->address + (c->line + i) * m->pitch, m->width);
}

int device_upload(offload_device *d, const host_lines *m, uint64_t to) {
  if (is_contiguous(m))
    return upload_bytes(d, m->address, m->lines * m->width, to);
  const size_t most = lines_of_piece(m);
  int error = 0;
  if (most == 0) {
    for (size_t i = 0; !error && i < m->lines; ++i)
      error = upload_bytes(d, m->address + i * m->pitch, m->width,
                           to + i * m->device_pitch);
    return error;
  }
  for (size_t line = 0, piece = 0; line < m->lines; ++piece) {
    const int buffer = piece & 1;
    const size_t count = smaller(most, m->lines - line);
    if (piece > 1 && (error = CHECK(cuEventSynchronize, d->events[buffer])))
      return error;
    line_copy copy = {m, d->staging[buffer], line, PART_WHOLE, 1};
    team_do(&d->team, gather_lines, &copy, count, count * m->width);
    if ((error = send(d, buffer, to + line * m->device_pitch,
                      count * m->device_pitch)))
      return error;
    line += count;
  }
  return CHECK(cuStreamSynchronize, d->stream);
}

static int receive(offload_device *d, int buffer, uint64_t from, size_t size) {
  const int error =
      CHECK(cuMemcpyDtoHAsync_v2, d->staging[buffer], from, size, d->stream);
  return error ? error : CHECK(cuEventRecord, d->events[buffer], d->stream);
}

static int download_bytes(offload_device *d, char *to, size_t size,
                          uint64_t from) {
  const size_t pieces = (size + STAGING_SIZE - 1) / STAGING_SIZE;
  for (size_t piece = 0; piece <= pieces; ++piece) {
    const size_t at = piece * STAGING_SIZE;
    int error = piece < pieces ? receive(d, piece & 1, from + at,
                                         smaller(STAGING_SIZE, size - at))
                               : 0;
    // Copies the piece before this one to the host, while this one is on its
    // way.
    if (!error && piece > 0)
      error = CHECK(cuEventSynchronize, d->events[(piece - 1) & 1]);
    if (error)
      return error;
    if (piece > 0)
      copy_bytes(d, to + at - STAGING_SIZE, d->staging[(piece - 1) & 1],
                 smaller(STAGING_SIZE, size - (at - STAGING_SIZE)));
  }
  return 0;
}

/// Copies lines from a piece to the host: the bytes that the function has
/// written, and no other, since threads of the program may work on those beside
/// them.
static void take_lines(void *job, size_t begin, size_t end) {
  const line_copy *c = job;
  const host_lines *m = c->matrix;
  for (size_t i = begin; i < end; ++i) {
    const size_t line = c->line + i;
    const size_t diagonal = smaller(line * c->element, m->width);
    const size_t first = c->part == PART_FROM_DIAGONAL ? diagonal : 0;
    const size_t last = c->part == PART_TO_DIAGONAL
                            ? smaller(diagonal + c->element, m->width)
                            : m->width;
    memcpy(m->address + line * m->pitch + first,
           c->piece + i * m->device_pitch + first, last - first);
  }
}

int device_download(offload_device *d, const host_lines *m, uint64_t from,
                    line_part part, size_t element) {
  if (is_contiguous(m) && part == PART_WHOLE)
    return download_bytes(d, m->address, m->lines * m->width, from);
  const size_t most = lines_of_piece(m);
  if (most == 0)
    return DEVICE_CANNOT_DO; // find_operands() has refused lines that do not
                             // fit
  const size_t pieces = (m->lines + most - 1) / most;
  for (size_t piece = 0; piece <= pieces; ++piece) {
    const size_t line = piece * most;
    int error = piece < pieces
                    ? receive(d, piece & 1, from + line * m->device_pitch,
                              smaller(most, m->lines - line) * m->device_pitch)
                    : 0;
    if (!error && piece > 0)
      error = CHECK(cuEventSynchronize, d->events[(piece - 1) & 1]);
    if (error)
      return error;
    if (piece > 0) {
      line_copy copy = {m, d->staging[(piece - 1) & 1], line - most, part,
                        element};
      const size_t count = smaller(most, m->lines - (line - most));
      team_do(&d->team, take_lines, &copy, count, count * m->width);
    }
  }
  return 0;
}

int device_write(offload_device *d, uint64_t to, const void *from,
                 size_t size) {
  return upload_bytes(d, from, size, to);
}

int device_read(offload_device *d, void *to, uint64_t from, size_t size) {
  return download_bytes(d, to, size, from);
}

int device_fill(offload_device *d, uint64_t to, unsigned word, size_t words) {
  return CHECK(cuMemsetD32Async, to, word, words, d->stream);
}

int device_call(offload_device *d, unsigned function,
                const blas_argument *arguments) {
  const int dropped = drop_destructors(1);
  const int status =
      cublas_call(&d->blas, d->handle, function, arguments, NULL);
  drop_destructors(dropped);
  if (status == CUBLAS_CANNOT)
    return DEVICE_CANNOT_DO;
  if (status == 0)
    return CHECK(cuStreamSynchronize, d->stream);
  snprintf(d->error, sizeof d->error, "%s: cuBLAS's status %d",
           cublas_function_name(function), status);
  return status == CUBLAS_ALLOC_FAILED ? DEVICE_NO_MEMORY : DEVICE_FAILED;
}
