//===-- services/blas/cuda/tests/cublas_double.c - A stand-in for cuBLAS --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's BLAS by cuBLAS's names, on the host's memory: for machines without
// a GPU. The functions of BLAS are generated from cublas.txt.
//===----------------------------------------------------------------------===//
#include <stddef.h>

int cublasCreate_v2(void **handle);
int cublasDestroy_v2(void *handle);
int cublasSetStream_v2(void *handle, void *stream);
int cublasSetWorkspace_v2(void *handle, void *memory, size_t size);

int cublasCreate_v2(void **handle) {
  static int any;
  *handle = &any;
  return 0;
}
int cublasDestroy_v2(void *handle) { return handle ? 0 : 1; }
int cublasSetStream_v2(void *handle, void *stream) {
  (void)stream;
  return handle ? 0 : 1;
}
int cublasSetWorkspace_v2(void *handle, void *memory, size_t size) {
  (void)memory, (void)size;
  return handle ? 0 : 1;
}

// C = alpha op(A) + beta op(B) of m x n matrices, which overlap as cuBLAS
// allows.
#define GEAM(UPPER, TYPE, CONJUGATE)                                           \
  int cublas##UPPER##geam(void *handle, int transa, int transb, int m, int n,  \
                          const TYPE *alpha, const TYPE *A, int lda,           \
                          const TYPE *beta, const TYPE *B, int ldb, TYPE *C,   \
                          int ldc);                                            \
  int cublas##UPPER##geam(void *handle, int transa, int transb, int m, int n,  \
                          const TYPE *alpha, const TYPE *A, int lda,           \
                          const TYPE *beta, const TYPE *B, int ldb, TYPE *C,   \
                          int ldc) {                                           \
    if (!handle || transb || lda < (transa ? n : m) || ldc < m ||              \
        (B == C && ldb != ldc))                                                \
      return 7;                                                                \
    for (int j = 0; j < n; ++j)                                                \
      for (int i = 0; i < m; ++i) {                                            \
        const TYPE a = transa ? A[i * lda + j] : A[j * lda + i];               \
        const TYPE b = *beta == 0 ? 0 : *beta * B[j * ldb + i];                \
        C[j * ldc + i] = *alpha * (transa == 2 ? CONJUGATE(a) : a) + b;        \
      }                                                                        \
    return 0;                                                                  \
  }
GEAM(S, float, )
GEAM(D, double, )
GEAM(C, float _Complex, __builtin_conjf)
GEAM(Z, double _Complex, __builtin_conj)

// How many batches there were, for tests.
extern int cublas_double_batches;
int cublas_double_batches;

#include "cublas_double.inc"
