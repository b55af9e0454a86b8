//===-- blas/intercept/history.h - What a program gained before ------------===//
// Opening a device costs some tenths of a second, which a run that ends soon
// does not get back. How long a run will be nobody knows; what the same command
// line gained before says most about it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_BLAS_INTERCEPT_HISTORY_H
#define GPUEXEC_BLAS_INTERCEPT_HISTORY_H

#include <stdint.h>

/// This process's command line and executable as a number.
uint64_t history_key(void);

/// Seconds that a run of `key` saved last time, or could have saved. 0: not
/// known, or none. `file`: a table of fixed size, a slot for each of 4096 keys;
/// empty: there is none.
float history_gain(const char *file, uint64_t key);
/// Notes it for the next time; nothing where the file cannot be written.
void history_note(const char *file, uint64_t key, float gain);

#endif
