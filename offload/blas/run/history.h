//===-- offload/blas/run/history.h - What a program gained before -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file of records of runs, by their command lines (policy/opening.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_HISTORY_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_HISTORY_H

#include "offload/blas/policy/opening.h"
#include "services/common/kept_file.h"

/// What a process is known by.
typedef struct {
  uint64_t run;     ///< its executable and its whole command line
  uint64_t program; ///< without what follows the first argument that is no
                    ///< option: for Python and the like a script's name
} history_keys;

history_keys find_history_keys(void);

/// False where nothing is known; the record is all zeros then. The file is a
/// table of fixed size, with slots for 4096 keys.
int history_find(const kept_files *, uint64_t key, run_record *);
/// Nothing is noted where the file cannot be written.
void history_note(const kept_files *, uint64_t key, const run_record *);

#endif
