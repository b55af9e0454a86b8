//===-- offload/blas/run/model_file.h - A machine's model, kept -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_MODEL_FILE_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_MODEL_FILE_H

#include "offload/blas/policy/model.h"
#include "services/common/kept_file.h"

/// Adds the rates in the file to the model. Returns false where there is no
/// file that begins with the line `key`.
int model_load(offload_model *, const kept_files *, const char *key);
/// Writes the model's file. Returns 0 or an errno.
int model_save(const offload_model *, const kept_files *, const char *key);

#endif
