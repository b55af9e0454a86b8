//===-- services/blas/host/gpu.h - A GPU's library, beside the running program -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs cuBLAS and cuSOLVER on the program's memory, without a copy: in the CUDA
// context in which the program's kernel runs and waits for the answer.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_HOST_GPU_H
#define GPUEXEC_SERVICES_BLAS_HOST_GPU_H

#include "services/blas/cuda/cublas.h"
#include "services/blas/host/times.h"
#include "services/common/request.h"

typedef struct gpu_blas gpu_blas;

/// Opens the libraries in a CUcontext and calls each of their functions once,
/// so that all code is loaded before the program's kernel runs: loading would
/// wait for the kernel's end. NULL with a line in `error` if this machine has
/// no cuBLAS, or it fails.
/// `times`: it notes the times of calls there.
gpu_blas *open_gpu_blas(void *context, call_times *times, char *error,
                        size_t size);
void close_gpu_blas(gpu_blas *);

/// Whether a call of this service is running on the GPU.
int gpu_is_busy(gpu_blas *);

/// A call for cuBLAS.
typedef struct gpu_call {
  gpu_blas *gpu;
  unsigned function; ///< place in blas.txt
  blas_argument arguments[CUBLAS_ARGUMENTS];
  cublas_number numbers[CUBLAS_ARGUMENTS]; ///< to which arguments point
  void *result;
  int status; ///< cublasStatus_t
  int ended;  ///< CUresult
} gpu_call;

/// Stores a call of `function` (place in blas.txt) in r->on_device, a gpu_call.
/// `arguments`: one for each of CBLAS's, with arrays on the device. Returns
/// EINPROGRESS: the caller then calls do_on_gpu().
int call_on_gpu(request *r, unsigned function, const blas_argument *arguments,
                void *result);

/// Has the GPU do calls, together with those of other threads that wait for it,
/// and waits for the end.
void do_on_gpu(gpu_blas *, gpu_call *const *calls, unsigned count);

/// What became of a call that is alone.
typedef enum {
  GPU_ENDED,  ///< the call has ended, or cuBLAS could not begin it
  GPU_WORKS,  ///< it goes on: then wait_for_alone()
  GPU_IS_BUSY ///< it has not begun, because other calls are on the GPU
} gpu_state;

/// For the thread that polls for requests: begins a call without a result and
/// waits for its end, for microseconds only. `caller` stands for the call.
gpu_state begin_alone(gpu_blas *, gpu_call *, const void *caller);

/// Waits for the end of the call that begin_alone() has begun for `caller` and
/// that went on; sets `call` to it. 0 if there is no such call.
int wait_for_alone(gpu_blas *, gpu_call *call, const void *caller);

/// The result of a call after do_on_gpu(): 0; ENOTSUP if the host's library
/// must do it; or EIO after a failure, for which this has ended the program
/// with a message.
int look_at_gpu_call(request *r, const gpu_call *);

/// Does a function of LAPACK on the GPU and waits for its end. `name`: without
/// the type's letter; `arguments`: LAPACKE's without the order; matrices are by
/// columns. Stores INFO in r->result. Returns 0, ENOTSUP or EIO as above.
int lapack_on_gpu(request *r, const char *name, char letter,
                  const blas_argument *arguments);

#endif
