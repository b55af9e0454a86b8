//===-- blas/cuda/tests/double.c - A stand-in for cuBLAS ------------------===//
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

// How many batches there were, for tests.
extern int cublas_double_batches;
int cublas_double_batches;

#include "cublas_double.inc"
