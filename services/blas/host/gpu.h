//===-- services/blas/host/gpu.h - A GPU's library, beside the running program -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS and cuSOLVER in the context in which the program's kernel waits for
// the answer: on the program's memory, without a copy.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_HOST_GPU_H
#define GPUEXEC_SERVICES_BLAS_HOST_GPU_H

#include "services/blas/cuda/cublas.h"
#include "services/common/request.h"

typedef struct gpu_blas gpu_blas;

/// Opens the libraries in a CUcontext, and calls what they have, so that all
/// code is loaded before the program's kernel runs: loading waits for its end.
/// NULL with a line in `error`: this machine has no such library, or it fails.
gpu_blas *open_gpu_blas(void *context, char *error, size_t size);
void close_gpu_blas(gpu_blas *);

/// Is a call of this service's under way on the GPU?
int gpu_is_busy(gpu_blas *);

/// A call that a GPU's library is to do.
typedef struct gpu_call {
  gpu_blas *gpu;
  unsigned function; ///< of blas.txt
  blas_argument arguments[CUBLAS_ARGUMENTS];
  cublas_number numbers[CUBLAS_ARGUMENTS]; ///< which the arguments name
  void *result;
  int status; ///< cublasStatus_t
  int ended;  ///< CUresult
} gpu_call;

/// Notes what a request of blas.txt asks in r->on_device: an argument for
/// each of CBLAS's, with arrays on the device. EINPROGRESS: do_on_gpu() is to
/// do it.
int call_on_gpu(request *r, unsigned function, const blas_argument *arguments,
                void *result);

/// Has the GPU do calls, together with those of other threads that wait for it,
/// and waits for the end.
void do_on_gpu(gpu_blas *, gpu_call *const *calls, unsigned count);

/// What became of a call: 0, ENOTSUP, for which the host's library is to do it,
/// or EIO, which ends the program with the library's reason.
int look_at_gpu_call(request *r, const gpu_call *);

/// Has the GPU do a function of LAPACK: its name without the type's letter,
/// LAPACKE's arguments without the order, matrices by columns. INFO goes to
/// r->result. ENOTSUP or EIO as above.
int lapack_on_gpu(request *r, const char *name, char letter,
                  const blas_argument *arguments);

#endif
