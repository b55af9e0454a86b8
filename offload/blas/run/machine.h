//===-- offload/blas/run/machine.h - The machine of a model ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_MACHINE_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_MACHINE_H

#include "offload/blas/policy/settings.h"
#include <stddef.h>

/// Writes a line with everything that the rates of a model depend on, except
/// for the GPU, which is known only when it is open. `library`: the program's
/// BLAS.
void describe_machine(char *line, size_t size, const offload_settings *,
                      const char *library);

#endif
