//===-- offload/blas/history.h - What a program gained before ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opening a device costs some tenths of a second, which a run that ends soon
// does not get back. How long a run will be nobody knows; what the same command
// line gained before says most about it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_HISTORY_H
#define GPUEXEC_OFFLOAD_BLAS_HISTORY_H

#include <stdint.h>

/// What a process is known by.
typedef struct {
  uint64_t run;     ///< its executable and its whole command line
  uint64_t program; ///< without what follows the first argument that is no
                    ///< option: for Python and the like a script's name
} history_keys;

history_keys find_history_keys(void);

/// What is known of the runs of a key, in seconds.
typedef struct {
  float gain;    ///< that the last one saved on the device, or could have saved
  float without; ///< that the last one without a device took; 0: there was none
  float with;    ///< and the last one with it
} history_entry;

/// False where nothing is known; the entry is all zeros then. `file`: a table
/// of fixed size, with slots for 4096 keys; empty: there is none.
int history_find(const char *file, uint64_t key, history_entry *);
/// Nothing is noted where the file cannot be written.
void history_note(const char *file, uint64_t key, const history_entry *);

#endif
