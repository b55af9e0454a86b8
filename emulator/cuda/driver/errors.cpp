//===-- emulator/cuda/driver/errors.cpp - Names of errors -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Also of libcuda for lent devices (lending/cuda/client/).
#include "emulator/cuda/driver/types.h"

#define GPUEXEC_REQUIRE(CONDITION, ERROR)                                      \
  if (!(CONDITION))                                                            \
  return CUDA_ERROR_##ERROR

CUresult cuGetErrorName(CUresult error, const char **text) {
  GPUEXEC_REQUIRE(text, INVALID_VALUE);
  *text = nullptr;
  switch (error) {
#define DRIVER_ERROR(NAME, STRING)                                             \
  case NAME:                                                                   \
    *text = #NAME;                                                             \
    return CUDA_SUCCESS;
#include "emulator/cuda/driver/errors.def"
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  GPUEXEC_REQUIRE(text, INVALID_VALUE);
  *text = nullptr;
  switch (error) {
#define DRIVER_ERROR(NAME, STRING)                                             \
  case NAME:                                                                   \
    *text = STRING;                                                            \
    return CUDA_SUCCESS;
#include "emulator/cuda/driver/errors.def"
  }
  return CUDA_ERROR_INVALID_VALUE;
}
