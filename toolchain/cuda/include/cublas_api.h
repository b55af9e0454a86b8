//===-- cublas_api.h - cuBLAS, without short names ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names and values are those of CUDA's interface.
// The functions and numbers of cuBLAS that our libcublas has; cuBLAS's
// documentation says what each one means. A function that is not here is
// missing (docs/cuda.md). Programs include cublas_v2.h, where functions have
// names without _v2, or cublas.h, where such names are other functions.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_CUBLAS_API_H
#define GPUEXEC_CUDA_CUBLAS_API_H
// Programs ask for the guard that NVIDIA has here.
#define CUBLAS_API_H_

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stdint.h>

#define CUBLASWINAPI
#define CUBLASAPI
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 4
#define CUBLAS_VER_PATCH 5
#define CUBLAS_VERSION 120405

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum {
  CUBLAS_DIAG_NON_UNIT = 0,
  CUBLAS_DIAG_UNIT = 1
} cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum {
  CUBLAS_POINTER_MODE_HOST = 0,
  CUBLAS_POINTER_MODE_DEVICE = 1
} cublasPointerMode_t;
typedef enum {
  CUBLAS_ATOMICS_NOT_ALLOWED = 0,
  CUBLAS_ATOMICS_ALLOWED = 1
} cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;

typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle,
                                       cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle,
                                       cublasPointerMode_t *mode);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *memory,
                                     size_t size);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle,
                                    cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle,
                                    cublasAtomicsMode_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/// Copies of vectors and matrices between the host's and the device's memory.
cublasStatus_t cublasSetVector(int n, int size, const void *from, int step,
                               void *to, int to_step);
cublasStatus_t cublasGetVector(int n, int size, const void *from, int step,
                               void *to, int to_step);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size,
                               const void *from, int ld, void *to, int to_ld);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size,
                               const void *from, int ld, void *to, int to_ld);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *from, int step,
                                    void *to, int to_step, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *from, int step,
                                    void *to, int to_step, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size,
                                    const void *from, int ld, void *to,
                                    int to_ld, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size,
                                    const void *from, int ld, void *to,
                                    int to_ld, cudaStream_t stream);

#include <gpuexec/cublas_functions.h>

// What BLAS has not. TYPE: S, D, C or Z, LOWER the same; ELEMENT its type.
#define GPUEXEC_CUBLAS_TYPE(TYPE, LOWER, ELEMENT)                              \
  cublasStatus_t cublasI##LOWER##amin_v2(                                      \
      cublasHandle_t handle, int n, const ELEMENT *x, int step, int *result);  \
  cublasStatus_t cublas##TYPE##gemmBatched(                                    \
      cublasHandle_t handle, cublasOperation_t transa,                         \
      cublasOperation_t transb, int m, int n, int k, const ELEMENT *alpha,     \
      const ELEMENT *const A[], int lda, const ELEMENT *const B[], int ldb,    \
      const ELEMENT *beta, ELEMENT *const C[], int ldc, int count);            \
  cublasStatus_t cublas##TYPE##gemmStridedBatched(                             \
      cublasHandle_t handle, cublasOperation_t transa,                         \
      cublasOperation_t transb, int m, int n, int k, const ELEMENT *alpha,     \
      const ELEMENT *A, int lda, long long int stepa, const ELEMENT *B,        \
      int ldb, long long int stepb, const ELEMENT *beta, ELEMENT *C, int ldc,  \
      long long int stepc, int count);                                         \
  cublasStatus_t cublas##TYPE##geam(                                           \
      cublasHandle_t handle, cublasOperation_t transa,                         \
      cublasOperation_t transb, int m, int n, const ELEMENT *alpha,            \
      const ELEMENT *A, int lda, const ELEMENT *beta, const ELEMENT *B,        \
      int ldb, ELEMENT *C, int ldc);                                           \
  cublasStatus_t cublas##TYPE##dgmm(                                           \
      cublasHandle_t handle, cublasSideMode_t side, int m, int n,              \
      const ELEMENT *A, int lda, const ELEMENT *x, int step, ELEMENT *C,       \
      int ldc);
GPUEXEC_CUBLAS_TYPE(S, s, float)
GPUEXEC_CUBLAS_TYPE(D, d, double)
GPUEXEC_CUBLAS_TYPE(C, c, cuComplex)
GPUEXEC_CUBLAS_TYPE(Z, z, cuDoubleComplex)
#undef GPUEXEC_CUBLAS_TYPE

#define GPUEXEC_CUBLAS_ROTATION(TYPE, NUMBER)                                  \
  cublasStatus_t cublas##TYPE##rotg_v2(cublasHandle_t handle, NUMBER *a,       \
                                       NUMBER *b, NUMBER *c, NUMBER *s);       \
  cublasStatus_t cublas##TYPE##rotmg_v2(cublasHandle_t handle, NUMBER *d1,     \
                                        NUMBER *d2, NUMBER *x1,                \
                                        const NUMBER *y1, NUMBER *parameters); \
  cublasStatus_t cublas##TYPE##rotm_v2(cublasHandle_t handle, int n,           \
                                       NUMBER *x, int stepx, NUMBER *y,        \
                                       int stepy, const NUMBER *parameters);
GPUEXEC_CUBLAS_ROTATION(S, float)
GPUEXEC_CUBLAS_ROTATION(D, double)
#undef GPUEXEC_CUBLAS_ROTATION
#define GPUEXEC_CUBLAS_ROTATION(TYPE, ELEMENT, NUMBER)                         \
  cublasStatus_t cublas##TYPE##rotg_v2(cublasHandle_t handle, ELEMENT *a,      \
                                       ELEMENT *b, NUMBER *c, ELEMENT *s);     \
  cublasStatus_t cublas##TYPE##rot_v2(                                         \
      cublasHandle_t handle, int n, ELEMENT *x, int stepx, ELEMENT *y,         \
      int stepy, const NUMBER *c, const ELEMENT *s);
GPUEXEC_CUBLAS_ROTATION(C, cuComplex, float)
GPUEXEC_CUBLAS_ROTATION(Z, cuDoubleComplex, double)
#undef GPUEXEC_CUBLAS_ROTATION

/// Of float, double and their complex numbers; of half, bfloat16 and 8 bit
/// integers as factors, with float or 32 bit integers as sums.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k,
                            const void *alpha, const void *A,
                            cudaDataType type_a, int lda, const void *B,
                            cudaDataType type_b, int ldb, const void *beta,
                            void *C, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const void *alpha, const void *A, cudaDataType type_a,
    int lda, long long int stepa, const void *B, cudaDataType type_b, int ldb,
    long long int stepb, const void *beta, void *C, cudaDataType type_c,
    int ldc, long long int stepc, int count, cublasComputeType_t compute,
    cublasGemmAlgo_t algo);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k,
                             const float *alpha, const void *A,
                             cudaDataType type_a, int lda, const void *B,
                             cudaDataType type_b, int ldb, const float *beta,
                             void *C, cudaDataType type_c, int ldc);
#ifdef __cplusplus
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k,
                           const __half *alpha, const __half *A, int lda,
                           const __half *B, int ldb, const __half *beta,
                           __half *C, int ldc);
cublasStatus_t cublasHgemmStridedBatched(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const __half *alpha, const __half *A, int lda,
    long long int stepa, const __half *B, int ldb, long long int stepb,
    const __half *beta, __half *C, int ldc, long long int stepc, int count);
}

/// As CUDA 10 said what sums are of.
static inline cublasComputeType_t gpuexec_compute_type(cudaDataType of) {
  return of == CUDA_R_16F                        ? CUBLAS_COMPUTE_16F
         : of == CUDA_R_64F || of == CUDA_C_64F  ? CUBLAS_COMPUTE_64F
         : of == CUDA_R_32I || of == CUDA_C_32I  ? CUBLAS_COMPUTE_32I
                                                 : CUBLAS_COMPUTE_32F;
}
static inline cublasStatus_t
cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
             cublasOperation_t transb, int m, int n, int k, const void *alpha,
             const void *A, cudaDataType type_a, int lda, const void *B,
             cudaDataType type_b, int ldb, const void *beta, void *C,
             cudaDataType type_c, int ldc, cudaDataType compute,
             cublasGemmAlgo_t algo) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, type_a, lda, B,
                      type_b, ldb, beta, C, type_c, ldc,
                      gpuexec_compute_type(compute), algo);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const void *alpha, const void *A, cudaDataType type_a,
    int lda, long long int stepa, const void *B, cudaDataType type_b, int ldb,
    long long int stepb, const void *beta, void *C, cudaDataType type_c,
    int ldc, long long int stepc, int count, cudaDataType compute,
    cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(
      handle, transa, transb, m, n, k, alpha, A, type_a, lda, stepa, B, type_b,
      ldb, stepb, beta, C, type_c, ldc, stepc, count,
      gpuexec_compute_type(compute), algo);
}
#endif

#endif
// NOLINTEND
