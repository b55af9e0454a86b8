//===-- services/blas/device/here/tests/here_calls.c - See here_calls.h ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/device/here/tests/here_calls.h"
#include "services/blas/device/here/here.h"
#include <string.h>

#include "here_calls.inc"
