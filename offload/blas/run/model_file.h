//===-- offload/blas/run/model_file.h - A machine's model, kept -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_MODEL_FILE_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_MODEL_FILE_H

#include "offload/blas/policy/model.h"
#include <stddef.h>

/// The name of a file for what `key` says, in `folder`; NULL: in the user's
/// caches. Empty, for nothing to be kept, where it is "off".
void model_file_name(char *name, size_t size, const char *folder,
                     const char *key, const char *ending);
/// Adds what the file has. False where there is none of this key.
int model_load(offload_model *, const char *file, const char *key);
/// 0 or errno.
int model_save(const offload_model *, const char *file, const char *key);

#endif
