//===-- crt/sm_70_rt.hpp - __match_any_sync and __match_all_sync ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang's __clang_cuda_intrinsics.h includes this file by CUDA's name for it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_CRT_SM_70_RT_HPP
#define GPUEXEC_CUDA_CRT_SM_70_RT_HPP

#define GPUEXEC_MATCH(TYPE, WORD, SIZE)                                        \
  static __inline__ __device__ unsigned int __match_any_sync(unsigned mask,    \
                                                             TYPE value) {     \
    return __nvvm_match_any_sync_i##SIZE(mask,                                 \
                                         __builtin_bit_cast(WORD, value));     \
  }                                                                            \
  static __inline__ __device__ unsigned int __match_all_sync(                  \
      unsigned mask, TYPE value, int *same) {                                  \
    return __nvvm_match_all_sync_i##SIZE##p(                                   \
        mask, __builtin_bit_cast(WORD, value), same);                          \
  }
GPUEXEC_MATCH(unsigned, int, 32)
GPUEXEC_MATCH(int, int, 32)
GPUEXEC_MATCH(float, int, 32)
GPUEXEC_MATCH(unsigned long, long long, 64)
GPUEXEC_MATCH(long, long long, 64)
GPUEXEC_MATCH(unsigned long long, long long, 64)
GPUEXEC_MATCH(long long, long long, 64)
GPUEXEC_MATCH(double, long long, 64)
#undef GPUEXEC_MATCH

#endif
