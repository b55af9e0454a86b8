//===-- cusolverDn.h - cuSOLVER for dense matrices ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names and values are those of CUDA's interface.
// The functions of cuSOLVER that our libcusolver has; cuSOLVER's documentation
// says what each one means. A function that is not here is missing
// (docs/cuda.md). Each works by the function of LAPACK that it is named for,
// with workspace of its own: the program's, and its length, are not used.
// `info`, in the device's memory, becomes LAPACK's INFO.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_CUSOLVERDN_H
#define GPUEXEC_CUDA_CUSOLVERDN_H
// Programs ask for the guard that NVIDIA has here.
#define CUSOLVERDN_H_

#include <cublas_api.h>
#include <cuda_runtime_api.h>
#include <cusolver_common.h>

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;

#ifdef __cplusplus
extern "C" {
#endif

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle,
                                     cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle,
                                     cudaStream_t *stream);

/// How Jacobi's methods iterate. These have no effect: the functions of Jacobi
/// compute by LAPACK's other methods, to full precision, and sort.
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info,
                                              double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info,
                                               double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort);

// TYPE: S, D, C or Z; ELEMENT: its type; REAL: that of singular values and
// eigenvalues. GQR and MQR: orgqr and ormqr, or ungqr and unmqr; SY: sy or he.
#define GPUEXEC_CUSOLVER_TYPE(TYPE, ELEMENT, REAL, GQR, MQR, SY)               \
  cusolverStatus_t cusolverDn##TYPE##potrf_bufferSize(                         \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, ELEMENT *A,     \
      int lda, int *lwork);                                                    \
  cusolverStatus_t cusolverDn##TYPE##potrf(                                    \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, ELEMENT *A,     \
      int lda, ELEMENT *work, int lwork, int *info);                           \
  cusolverStatus_t cusolverDn##TYPE##potrs(                                    \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,       \
      const ELEMENT *A, int lda, ELEMENT *B, int ldb, int *info);              \
  cusolverStatus_t cusolverDn##TYPE##potrfBatched(                             \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, ELEMENT *A[],   \
      int lda, int *info, int count);                                          \
  cusolverStatus_t cusolverDn##TYPE##potrsBatched(                             \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,       \
      ELEMENT *A[], int lda, ELEMENT *B[], int ldb, int *info, int count);     \
  cusolverStatus_t cusolverDn##TYPE##potri_bufferSize(                         \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, ELEMENT *A,     \
      int lda, int *lwork);                                                    \
  cusolverStatus_t cusolverDn##TYPE##potri(                                    \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, ELEMENT *A,     \
      int lda, ELEMENT *work, int lwork, int *info);                           \
  cusolverStatus_t cusolverDn##TYPE##getrf_bufferSize(                         \
      cusolverDnHandle_t handle, int m, int n, ELEMENT *A, int lda,            \
      int *lwork);                                                             \
  cusolverStatus_t cusolverDn##TYPE##getrf(                                    \
      cusolverDnHandle_t handle, int m, int n, ELEMENT *A, int lda,            \
      ELEMENT *work, int *ipiv, int *info);                                    \
  cusolverStatus_t cusolverDn##TYPE##getrs(                                    \
      cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,     \
      const ELEMENT *A, int lda, const int *ipiv, ELEMENT *B, int ldb,         \
      int *info);                                                              \
  cusolverStatus_t cusolverDn##TYPE##laswp(cusolverDnHandle_t handle, int n,   \
                                           ELEMENT *A, int lda, int k1,        \
                                           int k2, const int *ipiv, int step); \
  cusolverStatus_t cusolverDn##TYPE##geqrf_bufferSize(                         \
      cusolverDnHandle_t handle, int m, int n, ELEMENT *A, int lda,            \
      int *lwork);                                                             \
  cusolverStatus_t cusolverDn##TYPE##geqrf(                                    \
      cusolverDnHandle_t handle, int m, int n, ELEMENT *A, int lda,            \
      ELEMENT *tau, ELEMENT *work, int lwork, int *info);                      \
  cusolverStatus_t cusolverDn##TYPE##GQR##_bufferSize(                         \
      cusolverDnHandle_t handle, int m, int n, int k, const ELEMENT *A,        \
      int lda, const ELEMENT *tau, int *lwork);                                \
  cusolverStatus_t cusolverDn##TYPE##GQR(                                      \
      cusolverDnHandle_t handle, int m, int n, int k, ELEMENT *A, int lda,     \
      const ELEMENT *tau, ELEMENT *work, int lwork, int *info);                \
  cusolverStatus_t cusolverDn##TYPE##MQR##_bufferSize(                         \
      cusolverDnHandle_t handle, cublasSideMode_t side,                        \
      cublasOperation_t trans, int m, int n, int k, const ELEMENT *A, int lda, \
      const ELEMENT *tau, const ELEMENT *C, int ldc, int *lwork);              \
  cusolverStatus_t cusolverDn##TYPE##MQR(                                      \
      cusolverDnHandle_t handle, cublasSideMode_t side,                        \
      cublasOperation_t trans, int m, int n, int k, const ELEMENT *A, int lda, \
      const ELEMENT *tau, ELEMENT *C, int ldc, ELEMENT *work, int lwork,       \
      int *info);                                                              \
  cusolverStatus_t cusolverDn##TYPE##gesvd_bufferSize(                         \
      cusolverDnHandle_t handle, int m, int n, int *lwork);                    \
  cusolverStatus_t cusolverDn##TYPE##gesvd(                                    \
      cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,   \
      int n, ELEMENT *A, int lda, REAL *S, ELEMENT *U, int ldu, ELEMENT *VT,   \
      int ldvt, ELEMENT *work, int lwork, REAL *rwork, int *info);             \
  cusolverStatus_t cusolverDn##TYPE##gesvdj_bufferSize(                        \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m,      \
      int n, const ELEMENT *A, int lda, const REAL *S, const ELEMENT *U,       \
      int ldu, const ELEMENT *V, int ldv, int *lwork, gesvdjInfo_t params);    \
  cusolverStatus_t cusolverDn##TYPE##gesvdj(                                   \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m,      \
      int n, ELEMENT *A, int lda, REAL *S, ELEMENT *U, int ldu, ELEMENT *V,    \
      int ldv, ELEMENT *work, int lwork, int *info, gesvdjInfo_t params);      \
  cusolverStatus_t cusolverDn##TYPE##SY##evd_bufferSize(                       \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz,                       \
      cublasFillMode_t uplo, int n, const ELEMENT *A, int lda, const REAL *W,  \
      int *lwork);                                                             \
  cusolverStatus_t cusolverDn##TYPE##SY##evd(                                  \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz,                       \
      cublasFillMode_t uplo, int n, ELEMENT *A, int lda, REAL *W,              \
      ELEMENT *work, int lwork, int *info);                                    \
  cusolverStatus_t cusolverDn##TYPE##SY##evj_bufferSize(                       \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz,                       \
      cublasFillMode_t uplo, int n, const ELEMENT *A, int lda, const REAL *W,  \
      int *lwork, syevjInfo_t params);                                         \
  cusolverStatus_t cusolverDn##TYPE##SY##evj(                                  \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz,                       \
      cublasFillMode_t uplo, int n, ELEMENT *A, int lda, REAL *W,              \
      ELEMENT *work, int lwork, int *info, syevjInfo_t params);                \
  cusolverStatus_t cusolverDn##TYPE##SY##gvd_bufferSize(                       \
      cusolverDnHandle_t handle, cusolverEigType_t itype,                      \
      cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const ELEMENT *A,  \
      int lda, const ELEMENT *B, int ldb, const REAL *W, int *lwork);          \
  cusolverStatus_t cusolverDn##TYPE##SY##gvd(                                  \
      cusolverDnHandle_t handle, cusolverEigType_t itype,                      \
      cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, ELEMENT *A,        \
      int lda, ELEMENT *B, int ldb, REAL *W, ELEMENT *work, int lwork,         \
      int *info);
GPUEXEC_CUSOLVER_TYPE(S, float, float, orgqr, ormqr, sy)
GPUEXEC_CUSOLVER_TYPE(D, double, double, orgqr, ormqr, sy)
GPUEXEC_CUSOLVER_TYPE(C, cuComplex, float, ungqr, unmqr, he)
GPUEXEC_CUSOLVER_TYPE(Z, cuDoubleComplex, double, ungqr, unmqr, he)
#undef GPUEXEC_CUSOLVER_TYPE

#ifdef __cplusplus
}
#endif

#endif
// NOLINTEND
