//===-- lending/cuda/client/api_forwarded.cpp - Functions of the table ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/cuda/client/api.h"

using namespace gpuexec::lent_cuda;

#define OWN(NAME)
#define UNPACK(...) __VA_ARGS__
#define FORWARD(NAME, MODE, PARAMETERS, ARGUMENTS)                             \
  GPUEXEC_CUDA_EXPORT CUresult NAME PARAMETERS {                               \
    return forward<Mode::MODE>(Call::NAME, UNPACK ARGUMENTS);                  \
  }
#include "lending/cuda/calls.def"
