//===-- emulator/cuda/libraries/cublas_old.cpp - Functions of cublas.h ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS's first interface, over its second: numbers by value, letters for
// operations, and one handle of the process, which the interface asks for.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/libraries/cublas.h"
#pragma GCC visibility push(default)
#include "toolchain/cuda/include/cublas.h"
#pragma GCC visibility pop
#include <atomic>
#include <cstring>

namespace {

/// What cublasInit() has made, or null.
std::atomic<cublasHandle_t> process_handle{nullptr};
/// What cublasGetError() returns next.
std::atomic<cublasStatus_t> last_error{CUBLAS_STATUS_SUCCESS};

cublasStatus_t note(cublasStatus_t status) {
  if (status)
    last_error = status;
  return status;
}

template <class Function> cublasStatus_t run(Function function) {
  cublasHandle_t handle = process_handle;
  return note(handle ? function(handle) : CUBLAS_STATUS_NOT_INITIALIZED);
}

/// The letter as a capital.
char capital(char letter) {
  return letter >= 'a' && letter <= 'z' ? char(letter - 'a' + 'A') : letter;
}
bool is_one_of(char letter, const char *letters) {
  return letter && strchr(letters, capital(letter));
}

// Letters that is_one_of() has found.
cublasOperation_t operation(char letter) {
  return capital(letter) == 'N'   ? CUBLAS_OP_N
         : capital(letter) == 'T' ? CUBLAS_OP_T
                                  : CUBLAS_OP_C;
}
cublasFillMode_t fill_mode(char letter) {
  return capital(letter) == 'U' ? CUBLAS_FILL_MODE_UPPER
                                : CUBLAS_FILL_MODE_LOWER;
}
cublasDiagType_t diagonal(char letter) {
  return capital(letter) == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}
cublasSideMode_t side_mode(char letter) {
  return capital(letter) == 'L' ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
}

/// Makes the first device's primary context current where the thread has none,
/// as a call of the runtime would.
bool has_context() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  return !cuInit(0) && ((!cuCtxGetCurrent(&context) && context) ||
                        (!cuDeviceGet(&device, 0) &&
                         !cuDevicePrimaryCtxRetain(&context, device) &&
                         !cuCtxSetCurrent(context)));
}

} // namespace

cublasStatus cublasInit() {
  if (process_handle)
    return CUBLAS_STATUS_SUCCESS;
  if (!has_context())
    return note(CUBLAS_STATUS_NOT_INITIALIZED);
  cublasHandle_t made = nullptr, none = nullptr;
  if (cublasStatus_t status = cublasCreate_v2(&made))
    return note(status);
  if (!process_handle.compare_exchange_strong(none, made))
    cublasDestroy_v2(made); // another thread was faster
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus cublasShutdown() {
  cublasHandle_t handle = process_handle.exchange(nullptr);
  return handle ? cublasDestroy_v2(handle) : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus cublasGetError() {
  return last_error.exchange(CUBLAS_STATUS_SUCCESS);
}
cublasStatus cublasGetVersion(int *version) {
  return run([&](cublasHandle_t handle) {
    return cublasGetVersion_v2(handle, version);
  });
}
cublasStatus cublasSetKernelStream(cudaStream_t stream) {
  return run([&](cublasHandle_t handle) {
    return cublasSetStream_v2(handle, stream);
  });
}

cublasStatus cublasAlloc(int n, int size, void **memory) {
  return run([&](cublasHandle_t) {
    CUdeviceptr address = 0;
    if (n <= 0 || size <= 0 || !memory)
      return CUBLAS_STATUS_INVALID_VALUE;
    if (!has_context() || cuMemAlloc(&address, size_t(n) * size_t(size)))
      return CUBLAS_STATUS_ALLOC_FAILED;
    *memory = reinterpret_cast<void *>(address);
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus cublasFree(void *memory) {
  return run([&](cublasHandle_t) {
    return cuMemFree(reinterpret_cast<CUdeviceptr>(memory))
               ? CUBLAS_STATUS_INTERNAL_ERROR
               : CUBLAS_STATUS_SUCCESS;
  });
}

#include "cublas_old_library.inc"

#define GPUEXEC_TYPE(LOWER, ELEMENT)                                           \
  int cublasI##LOWER##amin(int n, const ELEMENT *x, int step) {                \
    int result = 0;                                                            \
    run([&](cublasHandle_t handle) {                                           \
      return cublasI##LOWER##amin_v2(handle, n, x, step, &result);             \
    });                                                                        \
    return result;                                                             \
  }
GPUEXEC_TYPE(s, float)
GPUEXEC_TYPE(d, double)
GPUEXEC_TYPE(c, cuComplex)
GPUEXEC_TYPE(z, cuDoubleComplex)

#define GPUEXEC_REAL_ROTATION(TYPE, NUMBER)                                    \
  void cublas##TYPE##rotg(NUMBER *a, NUMBER *b, NUMBER *c, NUMBER *s) {        \
    run([&](cublasHandle_t handle) {                                           \
      return cublas##TYPE##rotg_v2(handle, a, b, c, s);                        \
    });                                                                        \
  }                                                                            \
  void cublas##TYPE##rotm(int n, NUMBER *x, int stepx, NUMBER *y, int stepy,   \
                          const NUMBER *parameters) {                          \
    run([&](cublasHandle_t handle) {                                           \
      return cublas##TYPE##rotm_v2(handle, n, x, stepx, y, stepy, parameters); \
    });                                                                        \
  }                                                                            \
  void cublas##TYPE##rotmg(NUMBER *d1, NUMBER *d2, NUMBER *x1,                 \
                           const NUMBER *y1, NUMBER *parameters) {             \
    run([&](cublasHandle_t handle) {                                           \
      return cublas##TYPE##rotmg_v2(handle, d1, d2, x1, y1, parameters);       \
    });                                                                        \
  }
GPUEXEC_REAL_ROTATION(S, float)
GPUEXEC_REAL_ROTATION(D, double)

#define GPUEXEC_COMPLEX_ROTATION(TYPE, ELEMENT, NUMBER)                        \
  void cublas##TYPE##rotg(ELEMENT *a, ELEMENT b, NUMBER *c, ELEMENT *s) {      \
    run([&](cublasHandle_t handle) {                                           \
      return cublas##TYPE##rotg_v2(handle, a, &b, c, s);                       \
    });                                                                        \
  }                                                                            \
  void cublas##TYPE##rot(int n, ELEMENT *x, int stepx, ELEMENT *y, int stepy,  \
                         NUMBER c, ELEMENT s) {                                \
    run([&](cublasHandle_t handle) {                                           \
      return cublas##TYPE##rot_v2(handle, n, x, stepx, y, stepy, &c, &s);      \
    });                                                                        \
  }
GPUEXEC_COMPLEX_ROTATION(C, cuComplex, float)
GPUEXEC_COMPLEX_ROTATION(Z, cuDoubleComplex, double)
