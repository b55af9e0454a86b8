//===-- services/fft/host/library.h - The host's FFTW -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_FFT_HOST_LIBRARY_H
#define GPUEXEC_SERVICES_FFT_HOST_LIBRARY_H

#include "services/fft/request.h"
#include <stddef.h>

/// FFTW's functions for one precision. All are NULL if the machine lacks that
/// library.
typedef struct {
  void *library;
  void *(*plan_many_dft)(int, const int *, int, void *, const int *, int, int,
                         void *, const int *, int, int, int, unsigned);
  void *(*plan_many_dft_r2c)(int, const int *, int, void *, const int *, int,
                             int, void *, const int *, int, int, unsigned);
  void *(*plan_many_dft_c2r)(int, const int *, int, void *, const int *, int,
                             int, void *, const int *, int, int, unsigned);
  void (*execute_dft)(void *, void *, void *);
  void (*execute_dft_r2c)(void *, void *, void *);
  void (*execute_dft_c2r)(void *, void *, void *);
  void (*destroy_plan)(void *);
  void (*cleanup)(void); ///< frees what the planner has learnt
} fftw;

typedef struct {
  fftw precisions[2]; ///< double, single
} fft_library;

/// Opens FFTW for both precisions, at least one of which must be there; `path`,
/// if not empty, is the library for double. Not 0: `error` says why.
int fft_open(fft_library *, const char *path, char *error, size_t error_size);
/// Closes the libraries. All plans must have been forgotten.
void fft_close(fft_library *);

/// Whether planning with these flags leaves the arrays alone.
int fft_only_estimates(uint64_t flags);
/// Whether a transform with these flags may overwrite its input.
int fft_destroys_input(uint64_t flags);

/// Makes a plan of the request, for arrays with any alignment. NULL if FFTW has
/// none, or there is no library for the precision. Only one thread at a time
/// may call this or fft_forget().
void *fft_plan(const fft_library *, const fft_request *, void *input,
               void *output);
void fft_execute(const fft_library *, const fft_header *, void *plan,
                 void *input, void *output);
/// Destroys a plan.
void fft_forget(const fft_library *, const fft_header *, void *plan);

#endif
