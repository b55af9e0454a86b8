//===-- offload/blas/device/device.h - The GPU, as `gpuexec blas` uses it -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One context, stream and cuBLAS handle, and page-locked memory through which
// all copies go. The GPU never accesses the program's memory itself, so that
// the kernel sees each write (operands/pages.h). One thread at a time.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_DEVICE_DEVICE_H
#define GPUEXEC_OFFLOAD_BLAS_DEVICE_DEVICE_H

#include "drivers/cuda.h"
#include "offload/blas/device/team.h"
#include "offload/blas/policy/settings.h"
#include "services/blas/cuda/cusolver.h"

typedef struct {
  void *library, *handle; ///< libcuda; cuBLAS's handle
  CUcontext context;
  CUstream stream;
  cublas blas;
  uint64_t workspace;
  char name[128];   ///< of the GPU
  int driver;       ///< version of the driver's CUDA
  size_t memory;    ///< bytes that were free when it was opened
  char *staging[2]; ///< page-locked, STAGING_SIZE each
  CUevent events[2];
  struct cuda_functions *cuda;
  cusolver solver; ///< its library is NULL where there is none
  void *solver_handle;
  uint64_t scratch; ///< of cuSOLVER, on the device
  size_t scratch_size;
  copy_team team;  ///< copies between the program's memory and `staging`
  char error[200]; ///< of the function that failed last
} offload_device;

enum { STAGING_SIZE = 8 << 20 };

enum {
  DEVICE_OK = 0,
  DEVICE_FAILED = 1,    ///< see `error`; the device must not be used any more
  DEVICE_NO_MEMORY = 2, ///< not enough memory is free
  DEVICE_CANNOT_DO = 3, ///< cuBLAS has no function for these arguments
};

/// A matrix on the host: `lines` of `width` bytes, `pitch` bytes apart. On the
/// device they are `device_pitch` bytes apart.
typedef struct {
  char *address;
  size_t lines, width, pitch, device_pitch;
} host_lines;

/// Which bytes of a line a function has written, so that they are copied back:
/// the whole line, from the diagonal on, or up to it. The diagonal is at byte
/// i * `element` of line i.
typedef enum { PART_WHOLE, PART_FROM_DIAGONAL, PART_TO_DIAGONAL } line_part;

/// Opens the device; takes a part of a second. `stopping` becomes true when the
/// process ends meanwhile.
int device_open(offload_device *, const offload_settings *,
                const int *stopping);

/// Make the device's context the calling thread's, and restore the one before.
int device_enter(offload_device *);
void device_leave(offload_device *);

int device_allocate(offload_device *, size_t size, uint64_t *address);
void device_free(offload_device *, uint64_t address);

int device_upload(offload_device *, const host_lines *, uint64_t to);
int device_download(offload_device *, const host_lines *, uint64_t from,
                    line_part, size_t element);
/// Copy a few bytes to and from the device.
int device_write(offload_device *, uint64_t to, const void *from, size_t size);
int device_read(offload_device *, void *to, uint64_t from, size_t size);
int device_fill(offload_device *, uint64_t to, unsigned word, size_t words);

/// Has cuBLAS do the call, and waits until it is done.
int device_call(offload_device *, unsigned function, const blas_argument *);

#endif
