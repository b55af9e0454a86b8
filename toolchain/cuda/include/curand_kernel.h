//===-- curand_kernel.h - Random numbers in device code -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of cuRAND's device API (cuRAND's documentation says what each
// does); gpuexec/random/ has them. MTGP32 is missing. docs/cuda.md says which
// numbers are those of cuRAND.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_CURAND_KERNEL_H
#define GPUEXEC_CUDA_CURAND_KERNEL_H
// Programs ask for the guard that NVIDIA has here.
#define CURAND_KERNEL_H_

#include "curand.h"
#include "gpuexec/random/distributions.h"

typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t,
    curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

#endif
