//===-- emulator/cuda/driver/errors.cpp - Names of errors -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Also of libcuda for lent devices (lending/cuda/client/).
#include "emulator/cuda/driver/types.h"

namespace {

struct Error {
  CUresult value;
  const char *name, *text;
};
constexpr Error ERRORS[] = {
#define DRIVER_ERROR(NAME, STRING) {NAME, #NAME, STRING},
#include "emulator/cuda/driver/errors.def"
};

/// Writes the name or the text of an error; null for a number that is none.
CUresult describe(CUresult value, const char **to, const char *Error::*what) {
  if (!to)
    return CUDA_ERROR_INVALID_VALUE;
  *to = nullptr;
  for (const Error &error : ERRORS)
    if (error.value == value) {
      *to = error.*what;
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

} // namespace

CUresult cuGetErrorName(CUresult error, const char **text) {
  return describe(error, text, &Error::name);
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  return describe(error, text, &Error::text);
}
