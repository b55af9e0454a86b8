//===-- vector_functions.hpp - Older name ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_VECTOR_FUNCTIONS_HPP
#define GPUEXEC_CUDA_VECTOR_FUNCTIONS_HPP

#include "vector_functions.h"

#endif
