//===-- drivers/hsa.h - The HSA runtime's interface -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types are those of HSA's own headers, which every build has (Debian's
// libhsa-runtime-dev). This header declares each function of hsa.def a second
// time: a prototype in the table that differs from HSA's is a compile error.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DRIVERS_HSA_H
#define GPUEXEC_DRIVERS_HSA_H

#include "drivers/binding.h"
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#ifdef __cplusplus
extern "C" {
#endif
#define HSA_FUNCTION(RESULT, NAME, PARAMETERS) RESULT NAME PARAMETERS;
#include "drivers/hsa.def"
#ifdef __cplusplus
}
#endif

#endif
