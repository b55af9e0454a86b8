//===-- toolchain/cuda/include/gpuexec/address_spaces.h - The address space of a pointer -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_ADDRESS_SPACES_H
#define GPUEXEC_CUDA_ADDRESS_SPACES_H

// NUMBER is LLVM's number of the address space on NVPTX.
#define GPUEXEC_SPACE(NAME, CHECK, NUMBER)                                     \
  static __inline__ __device__                                                 \
      __attribute__((const)) unsigned int __is##NAME(const void *p) {          \
    return __nvvm_isspacep_##CHECK(p);                                         \
  }                                                                            \
  static __inline__ __device__ size_t __cvta_generic_to_##CHECK(               \
      const void *p) {                                                         \
    return (size_t)(const __attribute__((address_space(NUMBER))) void *)p;     \
  }                                                                            \
  static __inline__ __device__ void *__cvta_##CHECK##_to_generic(size_t p) {   \
    return (void *)(__attribute__((address_space(NUMBER))) void *)p;           \
  }
#define __nvvm_isspacep_constant __nvvm_isspacep_const
GPUEXEC_SPACE(Global, global, 1)
GPUEXEC_SPACE(Shared, shared, 3)
GPUEXEC_SPACE(Constant, constant, 4)
GPUEXEC_SPACE(Local, local, 5)
#undef __nvvm_isspacep_constant
#undef GPUEXEC_SPACE

#endif
