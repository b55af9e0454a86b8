//===-- offload/blas/run/machine.h - What a model depends on --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_MACHINE_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_MACHINE_H

#include "offload/blas/policy/settings.h"
#include <stddef.h>

/// A line of all that a model depends on but the GPU, which is not known before
/// it is opened. `library`: the program's BLAS.
void describe_machine(char *line, size_t size, const offload_settings *,
                      const char *library);

#endif
