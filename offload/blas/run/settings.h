//===-- offload/blas/run/settings.h - Settings of this process ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_SETTINGS_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_SETTINGS_H

#include "offload/blas/policy/settings.h"

/// Reads the environment, once, before anything else here is called.
void read_settings(void);
const offload_settings *told(void);

#endif
