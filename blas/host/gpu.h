//===-- blas/host/gpu.h - A GPU's library, beside the running program ------===//
// cuBLAS and cuSOLVER in the context in which the program's kernel waits for
// the answer: on the program's memory, without a copy.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_BLAS_HOST_GPU_H
#define GPUEXEC_BLAS_HOST_GPU_H

#include "blas/cuda/cublas.h"
#include "blas/host/request.h"

typedef struct gpu_blas gpu_blas;

/// Opens the libraries in a CUcontext, and calls what they have, so that all
/// code is loaded before the program's kernel runs: loading waits for its end.
/// NULL with a line in `error`: this machine has no such library, or it fails.
gpu_blas *open_gpu_blas(void *context, char *error, size_t size);
void close_gpu_blas(gpu_blas *);

/// Is a call of this service's under way on the GPU?
int gpu_is_busy(gpu_blas *);

/// Has the GPU do a function of functions.txt: an argument for each of CBLAS's,
/// with arrays on the device. ENOTSUP: the host's library is to do it. Other
/// failures end the program, with the library's reason.
int call_on_gpu(request *r, unsigned function, const blas_argument *arguments,
                void *result);

/// The same of LAPACK: its name without the type's letter, LAPACKE's arguments
/// without the order, matrices by columns. INFO goes to r->result.
int lapack_on_gpu(request *r, const char *name, char letter,
                  const blas_argument *arguments);

#endif
