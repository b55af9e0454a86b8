//===-- drivers/cuda_types.h - Types of CUDA's driver interface -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types and numbers of cuda_types.def, for C17 and C++20, by the names that
// CUDA's own header gives them. The build does not need the CUDA toolkit; where
// it is installed, drivers/tests/cuda_header_test.cpp compares them with
// cuda.h.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DRIVERS_CUDA_TYPES_H
#define GPUEXEC_DRIVERS_CUDA_TYPES_H

#include <stddef.h>
#include <stdint.h>

// NOLINTBEGIN(readability-identifier-naming,modernize-use-using): CUDA's names
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUmemGenericAllocationHandle;

#define CUDA_HANDLE(NAME) typedef struct NAME##_object *NAME;
#define CUDA_ENUMERATION(NAME, VALUES) typedef enum { VALUES } NAME;
#define CUDA_FLAGS(NAME, VALUES) enum { VALUES };
#define CUDA_VALUE(NAME, NUMBER) NAME = (NUMBER),
#define CUDA_STRUCTURE(NAME, FIELDS)                                           \
  typedef struct {                                                             \
    FIELDS                                                                     \
  } NAME;
#define CUDA_FIELD(TYPE, NAME) TYPE NAME;
#include "drivers/cuda_types.def"

#define CU_LAUNCH_PARAM_END ((void *)(size_t)CU_LAUNCH_PARAM_END_AS_INT)
#define CU_LAUNCH_PARAM_BUFFER_POINTER                                         \
  ((void *)(size_t)CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT)
#define CU_LAUNCH_PARAM_BUFFER_SIZE                                            \
  ((void *)(size_t)CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT)
// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif
