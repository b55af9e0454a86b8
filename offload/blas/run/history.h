//===-- offload/blas/run/history.h - Records of earlier runs ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file of records of runs, by their command lines (policy/opening.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_HISTORY_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_HISTORY_H

#include "offload/blas/policy/opening.h"
#include "services/common/kept_file.h"

/// The keys of a process's records.
typedef struct {
  uint64_t run;     ///< its executable and its whole command line
  uint64_t program; ///< executable and arguments up to the first that is no
                    ///< option: for Python, the script
} history_keys;

history_keys find_history_keys(void);

/// Reads the record of a key. Returns false where there is none; the record is
/// all zeros then. The file is a table of fixed size, with slots for 4096 keys.
int history_find(const kept_files *, uint64_t key, run_record *);
/// Stores the record of a key. Does nothing where the file cannot be written.
void history_note(const kept_files *, uint64_t key, const run_record *);

#endif
