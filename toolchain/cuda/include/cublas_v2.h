//===-- cublas_v2.h - cuBLAS ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names and values are those of CUDA's interface.
// The short names of the functions in cublas_api.h.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_CUBLAS_V2_H
#define GPUEXEC_CUDA_CUBLAS_V2_H
// Programs ask for the guard that NVIDIA has here.
#define CUBLAS_V2_H_

#ifdef CUBLAS_H_
#error "cublas_v2.h and cublas.h give the same names to other functions"
#endif

#include <cublas_api.h>
#include <gpuexec/cublas_names.h>

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasSrotg cublasSrotg_v2
#define cublasDrotg cublasDrotg_v2
#define cublasSrotm cublasSrotm_v2
#define cublasDrotm cublasDrotm_v2
#define cublasSrotmg cublasSrotmg_v2
#define cublasDrotmg cublasDrotmg_v2
#define cublasIsamin cublasIsamin_v2
#define cublasIdamin cublasIdamin_v2
#define cublasIcamin cublasIcamin_v2
#define cublasIzamin cublasIzamin_v2
#define cublasCrotg cublasCrotg_v2
#define cublasZrotg cublasZrotg_v2
#define cublasCrot cublasCrot_v2
#define cublasZrot cublasZrot_v2

#endif
// NOLINTEND
