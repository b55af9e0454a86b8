//===-- curand_discrete.h - A part of curand_kernel.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "curand_kernel.h"
