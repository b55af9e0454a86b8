// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- gpu/pass_runtime.h - The C library's side of passes -------*- C -*-===//
 * Declares the functions of pass_runtime.def, to which passes add calls. A file
 * that defines one of them includes this header, so that a definition of
 * another type does not compile. libc-shim/abi/pass_records.h has the records.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_GPU_PASS_RUNTIME_H
#define GPUEXEC_GPU_PASS_RUNTIME_H

#include <stdint.h>

/* libc-shim/abi/pass_records.h */
typedef struct shared_top shared_top;
typedef struct handler_frame handler_frame;

#define VOID void
#define I16 int16_t
#define I32 int32_t
#define U32 uint32_t
#define U64 uint64_t
#define F32 float
#define F64 double
#define POINTER_TO(type) __typeof__(type) *
#ifdef __NVPTX__
#define BLOCK_MEMORY __attribute__((address_space(3)))
#elif defined(__AMDGPU__)
#define BLOCK_MEMORY __attribute__((address_space(1)))
#else
#define BLOCK_MEMORY
#endif
#define BLOCK_POINTER_TO(type) BLOCK_MEMORY __typeof__(type) *

#ifdef __cplusplus
extern "C" {
#endif
#define RUNTIME_CALLBACK(type, result, parameters)                             \
  typedef result type parameters;
#define RUNTIME_FUNCTION(id, symbol, lanes, result, parameters)                \
  result(symbol) parameters;
#define RUNTIME_PLACEHOLDER(id, symbol, result, parameters)                    \
  result(symbol) parameters;
#define RUNTIME_OWN_VARIABLE(variable, type, function)                         \
  POINTER_TO(type) function(void);
#define RUNTIME_CONSTANT(id, value) enum { id = value };
#include "gpu/pass_runtime.def"
#ifdef __cplusplus
}
#endif

#undef VOID
#undef I16
#undef I32
#undef U32
#undef U64
#undef F32
#undef F64
#undef POINTER_TO
#undef BLOCK_POINTER_TO

/* The section that holds the variables of RUNTIME_OWN_VARIABLE. */
#define GPUEXEC_OWN_VARIABLES "gpuexec.per_thread"

#endif /* GPUEXEC_GPU_PASS_RUNTIME_H */
