//===-- services/fft/host/library.c - See library.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/fft/host/library.h"
#include "support/trusted_path.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

// FFTW's flags, with the values of its manual.
enum {
  DESTROY_INPUT = 1 << 0,
  UNALIGNED = 1 << 1,
  EXHAUSTIVE = 1 << 3,
  PRESERVE_INPUT = 1 << 4,
  PATIENT = 1 << 5,
  ESTIMATE = 1 << 6,
  KNOWN = DESTROY_INPUT | EXHAUSTIVE | PRESERVE_INPUT | PATIENT | ESTIMATE
};

int fft_only_estimates(uint64_t flags) { return (flags & ESTIMATE) != 0; }
int fft_destroys_input(uint64_t flags) { return (flags & DESTROY_INPUT) != 0; }

static void open_precision(fftw *functions, const char *path,
                           const char *prefix) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return;
  const struct {
    const char *name;
    void **function;
  } names[] = {{"plan_many_dft", (void **)&functions->plan_many_dft},
               {"plan_many_dft_r2c", (void **)&functions->plan_many_dft_r2c},
               {"plan_many_dft_c2r", (void **)&functions->plan_many_dft_c2r},
               {"execute_dft", (void **)&functions->execute_dft},
               {"execute_dft_r2c", (void **)&functions->execute_dft_r2c},
               {"execute_dft_c2r", (void **)&functions->execute_dft_c2r},
               {"destroy_plan", (void **)&functions->destroy_plan},
               {"cleanup", (void **)&functions->cleanup}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char name[40];
    snprintf(name, sizeof name, "%s_%s", prefix, names[i].name);
    *names[i].function = dlsym(library, name);
    if (!*names[i].function) {
      dlclose(library);
      return;
    }
  }
  functions->library = library;
}

int fft_open(fft_library *fft, const char *path, char *error,
             size_t error_size) {
  char real[PATH_MAX];
  const char *problem = strchr(path, '/') ? gpuexec_distrust(path, real) : NULL;
  if (problem && errno != ENOENT) {
    snprintf(error, error_size, "%s: %s", real, problem);
    return 1;
  }
  open_precision(&fft->precisions[0], *path ? path : "libfftw3.so.3", "fftw");
  const char *reason = dlerror();
  snprintf(error, error_size,
           "no FFTW on this machine (Debian: apt-get install "
           "libfftw3-double3 libfftw3-single3)%s%s",
           reason ? ": " : "", reason ? reason : "");
  open_precision(&fft->precisions[1], "libfftw3f.so.3", "fftwf");
  if (fft->precisions[0].library || (!*path && fft->precisions[1].library))
    return 0;
  fft_close(fft);
  return 1;
}

void fft_close(fft_library *fft) {
  for (int i = 0; i < 2; ++i) {
    if (!fft->precisions[i].library)
      continue;
    fft->precisions[i].cleanup();
    dlclose(fft->precisions[i].library);
  }
}

void *fft_plan(const fft_library *fft, const fft_request *request, void *input,
               void *output) {
  const fft_header *header = &request->header;
  const fftw *functions = &fft->precisions[header->is_single];
  if (!functions->library)
    return NULL;
  // With both FFTW_ESTIMATE and FFTW_PATIENT, FFTW 3.3.10 may search without
  // end.
  const unsigned unknown =
      fft_only_estimates(header->flags) ? PATIENT | EXHAUSTIVE : 0;
  const unsigned flags =
      ((unsigned)(header->flags & KNOWN) & ~unknown) | UNALIGNED;
  int sizes[FFT_DIMENSIONS], in[FFT_DIMENSIONS], out[FFT_DIMENSIONS];
  for (uint64_t i = 0; i < header->rank; ++i) {
    sizes[i] = (int)request->dimensions[i].size;
    in[i] = (int)request->dimensions[i].input_size;
    out[i] = (int)request->dimensions[i].output_size;
  }
  const int rank = (int)header->rank, count = (int)header->count;
  const int in_stride = (int)header->input_stride,
            in_distance = (int)header->input_distance,
            out_stride = (int)header->output_stride,
            out_distance = (int)header->output_distance;
  if (header->kind == FFT_COMPLEX)
    return functions->plan_many_dft(rank, sizes, count, input, in, in_stride,
                                    in_distance, output, out, out_stride,
                                    out_distance, (int)header->sign, flags);
  return (header->kind == FFT_REAL_TO_COMPLEX ? functions->plan_many_dft_r2c
                                              : functions->plan_many_dft_c2r)(
      rank, sizes, count, input, in, in_stride, in_distance, output, out,
      out_stride, out_distance, flags);
}

void fft_execute(const fft_library *fft, const fft_header *header, void *plan,
                 void *input, void *output) {
  const fftw *functions = &fft->precisions[header->is_single];
  (header->kind == FFT_COMPLEX ? functions->execute_dft
   : header->kind == FFT_REAL_TO_COMPLEX
       ? functions->execute_dft_r2c
       : functions->execute_dft_c2r)(plan, input, output);
}

void fft_forget(const fft_library *fft, const fft_header *header, void *plan) {
  fft->precisions[header->is_single].destroy_plan(plan);
}
