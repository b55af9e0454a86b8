//===-- offload/blas/policy/settings.h - Settings of `gpuexec blas` -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command passes the settings to the process in environment variables.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_POLICY_SETTINGS_H
#define GPUEXEC_OFFLOAD_BLAS_POLICY_SETTINGS_H

typedef struct {
  int is_off;        ///< GPUEXEC_BLAS_DEVICE=off, or no driver is there
  int device;        ///< GPUEXEC_BLAS_DEVICE=cuda:N
  double least_work; ///< GPUEXEC_BLAS_MIN_SIZE=N: 2 N^3; 0: the model decides
  int is_deterministic; ///< GPUEXEC_BLAS_DETERMINISTIC
  int is_verbose;       ///< GPUEXEC_BLAS_VERBOSE
  int copiers;          ///< threads that copy beside the caller
  const char *stats;    ///< GPUEXEC_BLAS_STATS: a file, or - ; NULL: none
  const char *model;    ///< GPUEXEC_BLAS_MODEL: a folder, or off; NULL: default
  double opening; ///< GPUEXEC_BLAS_OPENING: seconds that a run loses at most by
                  ///< opening the device, if it ends then
  // For tests.
  int waits;    ///< GPUEXEC_BLAS_WAIT: a call that is worth it opens the device
                ///< itself; which calls find it open depends on no time then
  double worth; ///< GPUEXEC_BLAS_WORTH: seconds to be saved that are worth
                ///< opening the device
  int is_ungoverned; ///< GPUEXEC_BLAS_GOVERNOR=off: time that is lost does not
                     ///< close the device
  // Stand-ins of NVIDIA's libraries:
  const char *libcuda;     ///< GPUEXEC_BLAS_LIBCUDA
  const char *libcublas;   ///< GPUEXEC_BLAS_LIBCUBLAS
  const char *libcusolver; ///< GPUEXEC_BLAS_LIBCUSOLVER
} offload_settings;

/// Whether sizes alone, not times, decide which calls go to the device.
static inline int sizes_decide(const offload_settings *told) {
  return told->least_work > 0;
}

#endif
