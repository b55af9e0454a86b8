//===-- toolchain/cuda/include/gpuexec/cublas_functions.h - The functions of BLAS ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names are those of CUDA's interface.
// Made by emulator/cuda/libraries/make_cublas.py.
// clang-format off
#define cublasSrot cublasSrot_v2
cublasStatus_t cublasSrot_v2(cublasHandle_t handle, int n, float *X, int incX, float *Y, int incY, const float *c_at, const float *s_at);
#define cublasDrot cublasDrot_v2
cublasStatus_t cublasDrot_v2(cublasHandle_t handle, int n, double *X, int incX, double *Y, int incY, const double *c_at, const double *s_at);
#define cublasSswap cublasSswap_v2
cublasStatus_t cublasSswap_v2(cublasHandle_t handle, int n, float *X, int incX, float *Y, int incY);
#define cublasDswap cublasDswap_v2
cublasStatus_t cublasDswap_v2(cublasHandle_t handle, int n, double *X, int incX, double *Y, int incY);
#define cublasCswap cublasCswap_v2
cublasStatus_t cublasCswap_v2(cublasHandle_t handle, int n, cuComplex *X, int incX, cuComplex *Y, int incY);
#define cublasZswap cublasZswap_v2
cublasStatus_t cublasZswap_v2(cublasHandle_t handle, int n, cuDoubleComplex *X, int incX, cuDoubleComplex *Y, int incY);
#define cublasSscal cublasSscal_v2
cublasStatus_t cublasSscal_v2(cublasHandle_t handle, int n, const float *alpha_at, float *X, int incX);
#define cublasDscal cublasDscal_v2
cublasStatus_t cublasDscal_v2(cublasHandle_t handle, int n, const double *alpha_at, double *X, int incX);
#define cublasCscal cublasCscal_v2
cublasStatus_t cublasCscal_v2(cublasHandle_t handle, int n, const cuComplex *alpha, cuComplex *X, int incX);
#define cublasZscal cublasZscal_v2
cublasStatus_t cublasZscal_v2(cublasHandle_t handle, int n, const cuDoubleComplex *alpha, cuDoubleComplex *X, int incX);
#define cublasCsscal cublasCsscal_v2
cublasStatus_t cublasCsscal_v2(cublasHandle_t handle, int n, const float *alpha_at, cuComplex *X, int incX);
#define cublasZdscal cublasZdscal_v2
cublasStatus_t cublasZdscal_v2(cublasHandle_t handle, int n, const double *alpha_at, cuDoubleComplex *X, int incX);
#define cublasScopy cublasScopy_v2
cublasStatus_t cublasScopy_v2(cublasHandle_t handle, int n, const float *X, int incX, float *Y, int incY);
#define cublasDcopy cublasDcopy_v2
cublasStatus_t cublasDcopy_v2(cublasHandle_t handle, int n, const double *X, int incX, double *Y, int incY);
#define cublasCcopy cublasCcopy_v2
cublasStatus_t cublasCcopy_v2(cublasHandle_t handle, int n, const cuComplex *X, int incX, cuComplex *Y, int incY);
#define cublasZcopy cublasZcopy_v2
cublasStatus_t cublasZcopy_v2(cublasHandle_t handle, int n, const cuDoubleComplex *X, int incX, cuDoubleComplex *Y, int incY);
#define cublasSaxpy cublasSaxpy_v2
cublasStatus_t cublasSaxpy_v2(cublasHandle_t handle, int n, const float *alpha_at, const float *X, int incX, float *Y, int incY);
#define cublasDaxpy cublasDaxpy_v2
cublasStatus_t cublasDaxpy_v2(cublasHandle_t handle, int n, const double *alpha_at, const double *X, int incX, double *Y, int incY);
#define cublasCaxpy cublasCaxpy_v2
cublasStatus_t cublasCaxpy_v2(cublasHandle_t handle, int n, const cuComplex *alpha, const cuComplex *X, int incX, cuComplex *Y, int incY);
#define cublasZaxpy cublasZaxpy_v2
cublasStatus_t cublasZaxpy_v2(cublasHandle_t handle, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *X, int incX, cuDoubleComplex *Y, int incY);
#define cublasSdot cublasSdot_v2
cublasStatus_t cublasSdot_v2(cublasHandle_t handle, int n, const float *X, int incX, const float *Y, int incY, float *result);
#define cublasDdot cublasDdot_v2
cublasStatus_t cublasDdot_v2(cublasHandle_t handle, int n, const double *X, int incX, const double *Y, int incY, double *result);
#define cublasCdotu cublasCdotu_v2
cublasStatus_t cublasCdotu_v2(cublasHandle_t handle, int n, const cuComplex *X, int incX, const cuComplex *Y, int incY, cuComplex *result);
#define cublasZdotu cublasZdotu_v2
cublasStatus_t cublasZdotu_v2(cublasHandle_t handle, int n, const cuDoubleComplex *X, int incX, const cuDoubleComplex *Y, int incY, cuDoubleComplex *result);
#define cublasCdotc cublasCdotc_v2
cublasStatus_t cublasCdotc_v2(cublasHandle_t handle, int n, const cuComplex *X, int incX, const cuComplex *Y, int incY, cuComplex *result);
#define cublasZdotc cublasZdotc_v2
cublasStatus_t cublasZdotc_v2(cublasHandle_t handle, int n, const cuDoubleComplex *X, int incX, const cuDoubleComplex *Y, int incY, cuDoubleComplex *result);
#define cublasSnrm2 cublasSnrm2_v2
cublasStatus_t cublasSnrm2_v2(cublasHandle_t handle, int n, const float *X, int incX, float *result);
#define cublasDnrm2 cublasDnrm2_v2
cublasStatus_t cublasDnrm2_v2(cublasHandle_t handle, int n, const double *X, int incX, double *result);
#define cublasScnrm2 cublasScnrm2_v2
cublasStatus_t cublasScnrm2_v2(cublasHandle_t handle, int n, const cuComplex *X, int incX, float *result);
#define cublasDznrm2 cublasDznrm2_v2
cublasStatus_t cublasDznrm2_v2(cublasHandle_t handle, int n, const cuDoubleComplex *X, int incX, double *result);
#define cublasSasum cublasSasum_v2
cublasStatus_t cublasSasum_v2(cublasHandle_t handle, int n, const float *X, int incX, float *result);
#define cublasDasum cublasDasum_v2
cublasStatus_t cublasDasum_v2(cublasHandle_t handle, int n, const double *X, int incX, double *result);
#define cublasScasum cublasScasum_v2
cublasStatus_t cublasScasum_v2(cublasHandle_t handle, int n, const cuComplex *X, int incX, float *result);
#define cublasDzasum cublasDzasum_v2
cublasStatus_t cublasDzasum_v2(cublasHandle_t handle, int n, const cuDoubleComplex *X, int incX, double *result);
#define cublasIsamax cublasIsamax_v2
cublasStatus_t cublasIsamax_v2(cublasHandle_t handle, int n, const float *X, int incX, int *result);
#define cublasIdamax cublasIdamax_v2
cublasStatus_t cublasIdamax_v2(cublasHandle_t handle, int n, const double *X, int incX, int *result);
#define cublasIcamax cublasIcamax_v2
cublasStatus_t cublasIcamax_v2(cublasHandle_t handle, int n, const cuComplex *X, int incX, int *result);
#define cublasIzamax cublasIzamax_v2
cublasStatus_t cublasIzamax_v2(cublasHandle_t handle, int n, const cuDoubleComplex *X, int incX, int *result);
#define cublasSgemv cublasSgemv_v2
cublasStatus_t cublasSgemv_v2(cublasHandle_t handle, cublasOperation_t trans_code, int m, int n, const float *alpha_at, const float *A, int ldA, const float *X, int incX, const float *beta_at, float *Y, int incY);
#define cublasDgemv cublasDgemv_v2
cublasStatus_t cublasDgemv_v2(cublasHandle_t handle, cublasOperation_t trans_code, int m, int n, const double *alpha_at, const double *A, int ldA, const double *X, int incX, const double *beta_at, double *Y, int incY);
#define cublasCgemv cublasCgemv_v2
cublasStatus_t cublasCgemv_v2(cublasHandle_t handle, cublasOperation_t trans_code, int m, int n, const cuComplex *alpha, const cuComplex *A, int ldA, const cuComplex *X, int incX, const cuComplex *beta, cuComplex *Y, int incY);
#define cublasZgemv cublasZgemv_v2
cublasStatus_t cublasZgemv_v2(cublasHandle_t handle, cublasOperation_t trans_code, int m, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int ldA, const cuDoubleComplex *X, int incX, const cuDoubleComplex *beta, cuDoubleComplex *Y, int incY);
#define cublasSgbmv cublasSgbmv_v2
cublasStatus_t cublasSgbmv_v2(cublasHandle_t handle, cublasOperation_t trans_code, int m, int n, int kl, int ku, const float *alpha_at, const float *A, int ldA, const float *X, int incX, const float *beta_at, float *Y, int incY);
#define cublasDgbmv cublasDgbmv_v2
cublasStatus_t cublasDgbmv_v2(cublasHandle_t handle, cublasOperation_t trans_code, int m, int n, int kl, int ku, const double *alpha_at, const double *A, int ldA, const double *X, int incX, const double *beta_at, double *Y, int incY);
#define cublasCgbmv cublasCgbmv_v2
cublasStatus_t cublasCgbmv_v2(cublasHandle_t handle, cublasOperation_t trans_code, int m, int n, int kl, int ku, const cuComplex *alpha, const cuComplex *A, int ldA, const cuComplex *X, int incX, const cuComplex *beta, cuComplex *Y, int incY);
#define cublasZgbmv cublasZgbmv_v2
cublasStatus_t cublasZgbmv_v2(cublasHandle_t handle, cublasOperation_t trans_code, int m, int n, int kl, int ku, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int ldA, const cuDoubleComplex *X, int incX, const cuDoubleComplex *beta, cuDoubleComplex *Y, int incY);
#define cublasSsymv cublasSsymv_v2
cublasStatus_t cublasSsymv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const float *alpha_at, const float *A, int ldA, const float *X, int incX, const float *beta_at, float *Y, int incY);
#define cublasDsymv cublasDsymv_v2
cublasStatus_t cublasDsymv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const double *alpha_at, const double *A, int ldA, const double *X, int incX, const double *beta_at, double *Y, int incY);
#define cublasChemv cublasChemv_v2
cublasStatus_t cublasChemv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const cuComplex *alpha, const cuComplex *A, int ldA, const cuComplex *X, int incX, const cuComplex *beta, cuComplex *Y, int incY);
#define cublasZhemv cublasZhemv_v2
cublasStatus_t cublasZhemv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int ldA, const cuDoubleComplex *X, int incX, const cuDoubleComplex *beta, cuDoubleComplex *Y, int incY);
#define cublasSsbmv cublasSsbmv_v2
cublasStatus_t cublasSsbmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, int k, const float *alpha_at, const float *A, int ldA, const float *X, int incX, const float *beta_at, float *Y, int incY);
#define cublasDsbmv cublasDsbmv_v2
cublasStatus_t cublasDsbmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, int k, const double *alpha_at, const double *A, int ldA, const double *X, int incX, const double *beta_at, double *Y, int incY);
#define cublasChbmv cublasChbmv_v2
cublasStatus_t cublasChbmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, int k, const cuComplex *alpha, const cuComplex *A, int ldA, const cuComplex *X, int incX, const cuComplex *beta, cuComplex *Y, int incY);
#define cublasZhbmv cublasZhbmv_v2
cublasStatus_t cublasZhbmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, int k, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int ldA, const cuDoubleComplex *X, int incX, const cuDoubleComplex *beta, cuDoubleComplex *Y, int incY);
#define cublasSspmv cublasSspmv_v2
cublasStatus_t cublasSspmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const float *alpha_at, const float *A, const float *X, int incX, const float *beta_at, float *Y, int incY);
#define cublasDspmv cublasDspmv_v2
cublasStatus_t cublasDspmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const double *alpha_at, const double *A, const double *X, int incX, const double *beta_at, double *Y, int incY);
#define cublasChpmv cublasChpmv_v2
cublasStatus_t cublasChpmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const cuComplex *alpha, const cuComplex *A, const cuComplex *X, int incX, const cuComplex *beta, cuComplex *Y, int incY);
#define cublasZhpmv cublasZhpmv_v2
cublasStatus_t cublasZhpmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *A, const cuDoubleComplex *X, int incX, const cuDoubleComplex *beta, cuDoubleComplex *Y, int incY);
#define cublasStrmv cublasStrmv_v2
cublasStatus_t cublasStrmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const float *A, int ldA, float *X, int incX);
#define cublasDtrmv cublasDtrmv_v2
cublasStatus_t cublasDtrmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const double *A, int ldA, double *X, int incX);
#define cublasCtrmv cublasCtrmv_v2
cublasStatus_t cublasCtrmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const cuComplex *A, int ldA, cuComplex *X, int incX);
#define cublasZtrmv cublasZtrmv_v2
cublasStatus_t cublasZtrmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const cuDoubleComplex *A, int ldA, cuDoubleComplex *X, int incX);
#define cublasStrsv cublasStrsv_v2
cublasStatus_t cublasStrsv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const float *A, int ldA, float *X, int incX);
#define cublasDtrsv cublasDtrsv_v2
cublasStatus_t cublasDtrsv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const double *A, int ldA, double *X, int incX);
#define cublasCtrsv cublasCtrsv_v2
cublasStatus_t cublasCtrsv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const cuComplex *A, int ldA, cuComplex *X, int incX);
#define cublasZtrsv cublasZtrsv_v2
cublasStatus_t cublasZtrsv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const cuDoubleComplex *A, int ldA, cuDoubleComplex *X, int incX);
#define cublasStbmv cublasStbmv_v2
cublasStatus_t cublasStbmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, int k, const float *A, int ldA, float *X, int incX);
#define cublasDtbmv cublasDtbmv_v2
cublasStatus_t cublasDtbmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, int k, const double *A, int ldA, double *X, int incX);
#define cublasCtbmv cublasCtbmv_v2
cublasStatus_t cublasCtbmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, int k, const cuComplex *A, int ldA, cuComplex *X, int incX);
#define cublasZtbmv cublasZtbmv_v2
cublasStatus_t cublasZtbmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, int k, const cuDoubleComplex *A, int ldA, cuDoubleComplex *X, int incX);
#define cublasStbsv cublasStbsv_v2
cublasStatus_t cublasStbsv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, int k, const float *A, int ldA, float *X, int incX);
#define cublasDtbsv cublasDtbsv_v2
cublasStatus_t cublasDtbsv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, int k, const double *A, int ldA, double *X, int incX);
#define cublasCtbsv cublasCtbsv_v2
cublasStatus_t cublasCtbsv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, int k, const cuComplex *A, int ldA, cuComplex *X, int incX);
#define cublasZtbsv cublasZtbsv_v2
cublasStatus_t cublasZtbsv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, int k, const cuDoubleComplex *A, int ldA, cuDoubleComplex *X, int incX);
#define cublasStpmv cublasStpmv_v2
cublasStatus_t cublasStpmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const float *A, float *X, int incX);
#define cublasDtpmv cublasDtpmv_v2
cublasStatus_t cublasDtpmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const double *A, double *X, int incX);
#define cublasCtpmv cublasCtpmv_v2
cublasStatus_t cublasCtpmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const cuComplex *A, cuComplex *X, int incX);
#define cublasZtpmv cublasZtpmv_v2
cublasStatus_t cublasZtpmv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const cuDoubleComplex *A, cuDoubleComplex *X, int incX);
#define cublasStpsv cublasStpsv_v2
cublasStatus_t cublasStpsv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const float *A, float *X, int incX);
#define cublasDtpsv cublasDtpsv_v2
cublasStatus_t cublasDtpsv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const double *A, double *X, int incX);
#define cublasCtpsv cublasCtpsv_v2
cublasStatus_t cublasCtpsv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const cuComplex *A, cuComplex *X, int incX);
#define cublasZtpsv cublasZtpsv_v2
cublasStatus_t cublasZtpsv_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int n, const cuDoubleComplex *A, cuDoubleComplex *X, int incX);
#define cublasSger cublasSger_v2
cublasStatus_t cublasSger_v2(cublasHandle_t handle, int m, int n, const float *alpha_at, const float *X, int incX, const float *Y, int incY, float *A, int ldA);
#define cublasDger cublasDger_v2
cublasStatus_t cublasDger_v2(cublasHandle_t handle, int m, int n, const double *alpha_at, const double *X, int incX, const double *Y, int incY, double *A, int ldA);
#define cublasCgeru cublasCgeru_v2
cublasStatus_t cublasCgeru_v2(cublasHandle_t handle, int m, int n, const cuComplex *alpha, const cuComplex *X, int incX, const cuComplex *Y, int incY, cuComplex *A, int ldA);
#define cublasZgeru cublasZgeru_v2
cublasStatus_t cublasZgeru_v2(cublasHandle_t handle, int m, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *X, int incX, const cuDoubleComplex *Y, int incY, cuDoubleComplex *A, int ldA);
#define cublasCgerc cublasCgerc_v2
cublasStatus_t cublasCgerc_v2(cublasHandle_t handle, int m, int n, const cuComplex *alpha, const cuComplex *X, int incX, const cuComplex *Y, int incY, cuComplex *A, int ldA);
#define cublasZgerc cublasZgerc_v2
cublasStatus_t cublasZgerc_v2(cublasHandle_t handle, int m, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *X, int incX, const cuDoubleComplex *Y, int incY, cuDoubleComplex *A, int ldA);
#define cublasSsyr cublasSsyr_v2
cublasStatus_t cublasSsyr_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const float *alpha_at, const float *X, int incX, float *A, int ldA);
#define cublasDsyr cublasDsyr_v2
cublasStatus_t cublasDsyr_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const double *alpha_at, const double *X, int incX, double *A, int ldA);
#define cublasCher cublasCher_v2
cublasStatus_t cublasCher_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const float *alpha_at, const cuComplex *X, int incX, cuComplex *A, int ldA);
#define cublasZher cublasZher_v2
cublasStatus_t cublasZher_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const double *alpha_at, const cuDoubleComplex *X, int incX, cuDoubleComplex *A, int ldA);
#define cublasSspr cublasSspr_v2
cublasStatus_t cublasSspr_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const float *alpha_at, const float *X, int incX, float *A);
#define cublasDspr cublasDspr_v2
cublasStatus_t cublasDspr_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const double *alpha_at, const double *X, int incX, double *A);
#define cublasChpr cublasChpr_v2
cublasStatus_t cublasChpr_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const float *alpha_at, const cuComplex *X, int incX, cuComplex *A);
#define cublasZhpr cublasZhpr_v2
cublasStatus_t cublasZhpr_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const double *alpha_at, const cuDoubleComplex *X, int incX, cuDoubleComplex *A);
#define cublasSsyr2 cublasSsyr2_v2
cublasStatus_t cublasSsyr2_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const float *alpha_at, const float *X, int incX, const float *Y, int incY, float *A, int ldA);
#define cublasDsyr2 cublasDsyr2_v2
cublasStatus_t cublasDsyr2_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const double *alpha_at, const double *X, int incX, const double *Y, int incY, double *A, int ldA);
#define cublasCher2 cublasCher2_v2
cublasStatus_t cublasCher2_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const cuComplex *alpha, const cuComplex *X, int incX, const cuComplex *Y, int incY, cuComplex *A, int ldA);
#define cublasZher2 cublasZher2_v2
cublasStatus_t cublasZher2_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *X, int incX, const cuDoubleComplex *Y, int incY, cuDoubleComplex *A, int ldA);
#define cublasSspr2 cublasSspr2_v2
cublasStatus_t cublasSspr2_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const float *alpha_at, const float *X, int incX, const float *Y, int incY, float *A);
#define cublasDspr2 cublasDspr2_v2
cublasStatus_t cublasDspr2_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const double *alpha_at, const double *X, int incX, const double *Y, int incY, double *A);
#define cublasChpr2 cublasChpr2_v2
cublasStatus_t cublasChpr2_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const cuComplex *alpha, const cuComplex *X, int incX, const cuComplex *Y, int incY, cuComplex *A);
#define cublasZhpr2 cublasZhpr2_v2
cublasStatus_t cublasZhpr2_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *X, int incX, const cuDoubleComplex *Y, int incY, cuDoubleComplex *A);
#define cublasSgemm cublasSgemm_v2
cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t transa_code, cublasOperation_t transb_code, int m, int n, int k, const float *alpha_at, const float *A, int ldA, const float *B, int ldB, const float *beta_at, float *C, int ldC);
#define cublasDgemm cublasDgemm_v2
cublasStatus_t cublasDgemm_v2(cublasHandle_t handle, cublasOperation_t transa_code, cublasOperation_t transb_code, int m, int n, int k, const double *alpha_at, const double *A, int ldA, const double *B, int ldB, const double *beta_at, double *C, int ldC);
#define cublasCgemm cublasCgemm_v2
cublasStatus_t cublasCgemm_v2(cublasHandle_t handle, cublasOperation_t transa_code, cublasOperation_t transb_code, int m, int n, int k, const cuComplex *alpha, const cuComplex *A, int ldA, const cuComplex *B, int ldB, const cuComplex *beta, cuComplex *C, int ldC);
#define cublasZgemm cublasZgemm_v2
cublasStatus_t cublasZgemm_v2(cublasHandle_t handle, cublasOperation_t transa_code, cublasOperation_t transb_code, int m, int n, int k, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int ldA, const cuDoubleComplex *B, int ldB, const cuDoubleComplex *beta, cuDoubleComplex *C, int ldC);
#define cublasSsymm cublasSsymm_v2
cublasStatus_t cublasSsymm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, int m, int n, const float *alpha_at, const float *A, int ldA, const float *B, int ldB, const float *beta_at, float *C, int ldC);
#define cublasDsymm cublasDsymm_v2
cublasStatus_t cublasDsymm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, int m, int n, const double *alpha_at, const double *A, int ldA, const double *B, int ldB, const double *beta_at, double *C, int ldC);
#define cublasCsymm cublasCsymm_v2
cublasStatus_t cublasCsymm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, int m, int n, const cuComplex *alpha, const cuComplex *A, int ldA, const cuComplex *B, int ldB, const cuComplex *beta, cuComplex *C, int ldC);
#define cublasZsymm cublasZsymm_v2
cublasStatus_t cublasZsymm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, int m, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int ldA, const cuDoubleComplex *B, int ldB, const cuDoubleComplex *beta, cuDoubleComplex *C, int ldC);
#define cublasChemm cublasChemm_v2
cublasStatus_t cublasChemm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, int m, int n, const cuComplex *alpha, const cuComplex *A, int ldA, const cuComplex *B, int ldB, const cuComplex *beta, cuComplex *C, int ldC);
#define cublasZhemm cublasZhemm_v2
cublasStatus_t cublasZhemm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, int m, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int ldA, const cuDoubleComplex *B, int ldB, const cuDoubleComplex *beta, cuDoubleComplex *C, int ldC);
#define cublasSsyrk cublasSsyrk_v2
cublasStatus_t cublasSsyrk_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, int n, int k, const float *alpha_at, const float *A, int ldA, const float *beta_at, float *C, int ldC);
#define cublasDsyrk cublasDsyrk_v2
cublasStatus_t cublasDsyrk_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, int n, int k, const double *alpha_at, const double *A, int ldA, const double *beta_at, double *C, int ldC);
#define cublasCsyrk cublasCsyrk_v2
cublasStatus_t cublasCsyrk_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, int n, int k, const cuComplex *alpha, const cuComplex *A, int ldA, const cuComplex *beta, cuComplex *C, int ldC);
#define cublasZsyrk cublasZsyrk_v2
cublasStatus_t cublasZsyrk_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, int n, int k, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int ldA, const cuDoubleComplex *beta, cuDoubleComplex *C, int ldC);
#define cublasCherk cublasCherk_v2
cublasStatus_t cublasCherk_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, int n, int k, const float *alpha_at, const cuComplex *A, int ldA, const float *beta_at, cuComplex *C, int ldC);
#define cublasZherk cublasZherk_v2
cublasStatus_t cublasZherk_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, int n, int k, const double *alpha_at, const cuDoubleComplex *A, int ldA, const double *beta_at, cuDoubleComplex *C, int ldC);
#define cublasSsyr2k cublasSsyr2k_v2
cublasStatus_t cublasSsyr2k_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, int n, int k, const float *alpha_at, const float *A, int ldA, const float *B, int ldB, const float *beta_at, float *C, int ldC);
#define cublasDsyr2k cublasDsyr2k_v2
cublasStatus_t cublasDsyr2k_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, int n, int k, const double *alpha_at, const double *A, int ldA, const double *B, int ldB, const double *beta_at, double *C, int ldC);
#define cublasCsyr2k cublasCsyr2k_v2
cublasStatus_t cublasCsyr2k_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, int n, int k, const cuComplex *alpha, const cuComplex *A, int ldA, const cuComplex *B, int ldB, const cuComplex *beta, cuComplex *C, int ldC);
#define cublasZsyr2k cublasZsyr2k_v2
cublasStatus_t cublasZsyr2k_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, int n, int k, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int ldA, const cuDoubleComplex *B, int ldB, const cuDoubleComplex *beta, cuDoubleComplex *C, int ldC);
#define cublasCher2k cublasCher2k_v2
cublasStatus_t cublasCher2k_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, int n, int k, const cuComplex *alpha, const cuComplex *A, int ldA, const cuComplex *B, int ldB, const float *beta_at, cuComplex *C, int ldC);
#define cublasZher2k cublasZher2k_v2
cublasStatus_t cublasZher2k_v2(cublasHandle_t handle, cublasFillMode_t uplo_code, cublasOperation_t trans_code, int n, int k, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int ldA, const cuDoubleComplex *B, int ldB, const double *beta_at, cuDoubleComplex *C, int ldC);
#define cublasStrmm cublasStrmm_v2
cublasStatus_t cublasStrmm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int m, int n, const float *alpha_at, const float *A, int ldA, const float *B, int ldB, float *B_out, int ldB_out);
#define cublasDtrmm cublasDtrmm_v2
cublasStatus_t cublasDtrmm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int m, int n, const double *alpha_at, const double *A, int ldA, const double *B, int ldB, double *B_out, int ldB_out);
#define cublasCtrmm cublasCtrmm_v2
cublasStatus_t cublasCtrmm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int m, int n, const cuComplex *alpha, const cuComplex *A, int ldA, const cuComplex *B, int ldB, cuComplex *B_out, int ldB_out);
#define cublasZtrmm cublasZtrmm_v2
cublasStatus_t cublasZtrmm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int m, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int ldA, const cuDoubleComplex *B, int ldB, cuDoubleComplex *B_out, int ldB_out);
#define cublasStrsm cublasStrsm_v2
cublasStatus_t cublasStrsm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int m, int n, const float *alpha_at, const float *A, int ldA, float *B, int ldB);
#define cublasDtrsm cublasDtrsm_v2
cublasStatus_t cublasDtrsm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int m, int n, const double *alpha_at, const double *A, int ldA, double *B, int ldB);
#define cublasCtrsm cublasCtrsm_v2
cublasStatus_t cublasCtrsm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int m, int n, const cuComplex *alpha, const cuComplex *A, int ldA, cuComplex *B, int ldB);
#define cublasZtrsm cublasZtrsm_v2
cublasStatus_t cublasZtrsm_v2(cublasHandle_t handle, cublasSideMode_t side_code, cublasFillMode_t uplo_code, cublasOperation_t trans_code, cublasDiagType_t diag_code, int m, int n, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int ldA, cuDoubleComplex *B, int ldB);
#define cublasCsrot cublasCsrot_v2
cublasStatus_t cublasCsrot_v2(cublasHandle_t handle, int n, cuComplex *X, int incX, cuComplex *Y, int incY, const float *c_at, const float *s_at);
#define cublasZdrot cublasZdrot_v2
cublasStatus_t cublasZdrot_v2(cublasHandle_t handle, int n, cuDoubleComplex *X, int incX, cuDoubleComplex *Y, int incY, const double *c_at, const double *s_at);
// NOLINTEND
