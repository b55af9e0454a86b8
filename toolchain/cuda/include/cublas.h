//===-- cublas.h - cuBLAS's first interface -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names and values are those of CUDA's interface.
// Functions without a handle, as BLAS's: numbers by value, letters for
// operations, results as results. cublasGetError() tells what went wrong since
// it was called before. All threads of a process share one state.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_CUBLAS_H
#define GPUEXEC_CUDA_CUBLAS_H

#ifdef CUBLAS_V2_H_
#error "cublas_v2.h and cublas.h give the same names to other functions"
#endif
// Programs ask for the guard that NVIDIA has here.
#define CUBLAS_H_

#include <cublas_api.h>
#include <cuda_runtime.h>

#define cublasStatus cublasStatus_t

#ifdef __cplusplus
extern "C" {
#endif

/// Makes the first device current where the thread has none.
cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
cublasStatus cublasGetError(void);
cublasStatus cublasGetVersion(int *version);
cublasStatus cublasSetKernelStream(cudaStream_t stream);
/// Memory of the device for `n` elements of `size` bytes.
cublasStatus cublasAlloc(int n, int size, void **memory);
cublasStatus cublasFree(void *memory);

#include <gpuexec/cublas_old_functions.h>

// What the tables of BLAS's functions leave out.
int cublasIsamin(int n, const float *x, int stepx);
int cublasIdamin(int n, const double *x, int stepx);
int cublasIcamin(int n, const cuComplex *x, int stepx);
int cublasIzamin(int n, const cuDoubleComplex *x, int stepx);
void cublasSrotg(float *a, float *b, float *c, float *s);
void cublasDrotg(double *a, double *b, double *c, double *s);
void cublasCrotg(cuComplex *a, cuComplex b, float *c, cuComplex *s);
void cublasZrotg(cuDoubleComplex *a, cuDoubleComplex b, double *c,
                 cuDoubleComplex *s);
void cublasCrot(int n, cuComplex *x, int stepx, cuComplex *y, int stepy,
                float c, cuComplex s);
void cublasZrot(int n, cuDoubleComplex *x, int stepx, cuDoubleComplex *y,
                int stepy, double c, cuDoubleComplex s);
void cublasSrotm(int n, float *x, int stepx, float *y, int stepy,
                 const float *parameters);
void cublasDrotm(int n, double *x, int stepx, double *y, int stepy,
                 const double *parameters);
void cublasSrotmg(float *d1, float *d2, float *x1, const float *y1,
                  float *parameters);
void cublasDrotmg(double *d1, double *d2, double *x1, const double *y1,
                  double *parameters);

#ifdef __cplusplus
}
#endif

#endif
// NOLINTEND
