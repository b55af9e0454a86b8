//===-- toolchain/cuda/include/gpuexec/atomics.h - atomicAdd and its like -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function also has the forms _block and _system, for a narrower and a
// wider scope. All are relaxed, as CUDA says.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_ATOMICS_H
#define GPUEXEC_CUDA_ATOMICS_H

#define GPUEXEC_DEVICE static __inline__ __device__

#define GPUEXEC_ATOMIC(NAME, TYPE, OPERATION, SCOPE)                           \
  GPUEXEC_DEVICE TYPE NAME(TYPE *address, TYPE value) {                        \
    return __scoped_atomic_##OPERATION(address, value, __ATOMIC_RELAXED,       \
                                       __MEMORY_SCOPE_##SCOPE);                \
  }
#define GPUEXEC_ATOMICS(NAME, TYPE, OPERATION)                                 \
  GPUEXEC_ATOMIC(NAME, TYPE, OPERATION, DEVICE)                                \
  GPUEXEC_ATOMIC(NAME##_block, TYPE, OPERATION, WRKGRP)                        \
  GPUEXEC_ATOMIC(NAME##_system, TYPE, OPERATION, SYSTEM)
GPUEXEC_ATOMICS(atomicAdd, int, fetch_add)
GPUEXEC_ATOMICS(atomicAdd, unsigned int, fetch_add)
GPUEXEC_ATOMICS(atomicAdd, unsigned long long, fetch_add)
GPUEXEC_ATOMICS(atomicAdd, float, fetch_add)
GPUEXEC_ATOMICS(atomicAdd, double, fetch_add)
GPUEXEC_ATOMICS(atomicSub, int, fetch_sub)
GPUEXEC_ATOMICS(atomicSub, unsigned int, fetch_sub)
GPUEXEC_ATOMICS(atomicExch, int, exchange_n)
GPUEXEC_ATOMICS(atomicExch, unsigned int, exchange_n)
GPUEXEC_ATOMICS(atomicExch, unsigned long long, exchange_n)
GPUEXEC_ATOMICS(atomicMin, int, fetch_min)
GPUEXEC_ATOMICS(atomicMin, unsigned int, fetch_min)
GPUEXEC_ATOMICS(atomicMin, long long, fetch_min)
GPUEXEC_ATOMICS(atomicMin, unsigned long long, fetch_min)
GPUEXEC_ATOMICS(atomicMax, int, fetch_max)
GPUEXEC_ATOMICS(atomicMax, unsigned int, fetch_max)
GPUEXEC_ATOMICS(atomicMax, long long, fetch_max)
GPUEXEC_ATOMICS(atomicMax, unsigned long long, fetch_max)
GPUEXEC_ATOMICS(atomicAnd, int, fetch_and)
GPUEXEC_ATOMICS(atomicAnd, unsigned int, fetch_and)
GPUEXEC_ATOMICS(atomicAnd, unsigned long long, fetch_and)
GPUEXEC_ATOMICS(atomicOr, int, fetch_or)
GPUEXEC_ATOMICS(atomicOr, unsigned int, fetch_or)
GPUEXEC_ATOMICS(atomicOr, unsigned long long, fetch_or)
GPUEXEC_ATOMICS(atomicXor, int, fetch_xor)
GPUEXEC_ATOMICS(atomicXor, unsigned int, fetch_xor)
GPUEXEC_ATOMICS(atomicXor, unsigned long long, fetch_xor)
#undef GPUEXEC_ATOMICS
#undef GPUEXEC_ATOMIC

#define GPUEXEC_ATOMIC(NAME, TYPE, SCOPE)                                      \
  GPUEXEC_DEVICE TYPE NAME(TYPE *address, TYPE expected, TYPE value) {         \
    __scoped_atomic_compare_exchange_n(address, &expected, value, false,       \
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED,     \
                                       __MEMORY_SCOPE_##SCOPE);                \
    return expected;                                                           \
  }
#define GPUEXEC_ATOMICS(TYPE)                                                  \
  GPUEXEC_ATOMIC(atomicCAS, TYPE, DEVICE)                                      \
  GPUEXEC_ATOMIC(atomicCAS_block, TYPE, WRKGRP)                                \
  GPUEXEC_ATOMIC(atomicCAS_system, TYPE, SYSTEM)
GPUEXEC_ATOMICS(int)
GPUEXEC_ATOMICS(unsigned int)
GPUEXEC_ATOMICS(unsigned long long)
GPUEXEC_ATOMICS(unsigned short)
#undef GPUEXEC_ATOMICS
#undef GPUEXEC_ATOMIC

/// Exchanges a float's bits.
#define GPUEXEC_EXCHANGE(SUFFIX)                                               \
  GPUEXEC_DEVICE float atomicExch##SUFFIX(float *address, float value) {       \
    return __builtin_bit_cast(                                                 \
        float, atomicExch##SUFFIX((unsigned int *)address,                     \
                                  __builtin_bit_cast(unsigned int, value)));   \
  }
GPUEXEC_EXCHANGE()
GPUEXEC_EXCHANGE(_block)
GPUEXEC_EXCHANGE(_system)
#undef GPUEXEC_EXCHANGE

/// Counts up to `limit`, then from 0; and down, from `limit`.
#define GPUEXEC_COUNT(SUFFIX)                                                  \
  GPUEXEC_DEVICE unsigned int atomicInc##SUFFIX(unsigned int *address,         \
                                                unsigned int limit) {          \
    return __uAtomicInc##SUFFIX(address, limit);                               \
  }                                                                            \
  GPUEXEC_DEVICE unsigned int atomicDec##SUFFIX(unsigned int *address,         \
                                                unsigned int limit) {          \
    return __uAtomicDec##SUFFIX(address, limit);                               \
  }
GPUEXEC_COUNT()
GPUEXEC_COUNT(_block)
GPUEXEC_COUNT(_system)
#undef GPUEXEC_COUNT
#undef GPUEXEC_DEVICE

#endif
