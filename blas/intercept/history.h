//===-- blas/intercept/history.h - What a program gained before ------------===//
// Opening a device costs some tenths of a second, which a run that ends soon
// does not get back. How long a run will be nobody knows; what the same command
// line gained before says most about it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_BLAS_INTERCEPT_HISTORY_H
#define GPUEXEC_BLAS_INTERCEPT_HISTORY_H

#include <stdint.h>

/// What a process is known by.
typedef struct {
  uint64_t run;     ///< its executable and its whole command line
  uint64_t program; ///< without what follows the first argument that is no
                    ///< option: for Python and the like a script's name
} history_keys;

history_keys find_history_keys(void);

/// Seconds that a run of this key saved last time, or could have saved; 0:
/// none; below 0: it is not known. `file`: a table of fixed size, with slots
/// for 4096 keys; empty: there is none.
float history_gain(const char *file, uint64_t key);
/// Notes it for the next time, if it is at least `least` or takes the place of
/// such a gain. Nothing is noted where the file cannot be written.
void history_note(const char *file, const history_keys *, float gain,
                  float least);

#endif
