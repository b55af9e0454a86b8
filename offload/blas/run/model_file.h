//===-- offload/blas/run/model_file.h - A machine's model, kept -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_MODEL_FILE_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_MODEL_FILE_H

#include "offload/blas/policy/model.h"
#include "services/common/kept_file.h"

/// Adds what the file has. False where there is none of this key, the line that
/// it begins with.
int model_load(offload_model *, const kept_files *, const char *key);
/// 0 or errno.
int model_save(const offload_model *, const kept_files *, const char *key);

#endif
