// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- fftw3.h - Fourier transforms for device programs ------------------===*\
 * A part of FFTW's interface: plans of complex transforms, and of real to
 * complex and back, with one to eight dimensions, one or many at a time, in
 * double (fftw_) and single precision (fftwf_). The host's FFTW transforms the
 * program's memory.
 * Link with -lfftw3, -lfftw3f.
\*===----------------------------------------------------------------------===*/
#ifndef FFTW3_H
#define FFTW3_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FFTW_FORWARD (-1)
#define FFTW_BACKWARD (+1)
#define FFTW_NO_TIMELIMIT (-1.0)

#define FFTW_MEASURE 0u
#define FFTW_DESTROY_INPUT (1u << 0)
#define FFTW_UNALIGNED (1u << 1)
#define FFTW_CONSERVE_MEMORY (1u << 2)
#define FFTW_EXHAUSTIVE (1u << 3)
#define FFTW_PRESERVE_INPUT (1u << 4)
#define FFTW_PATIENT (1u << 5)
#define FFTW_ESTIMATE (1u << 6)
#define FFTW_WISDOM_ONLY (1u << 21)

#if defined(_Complex_I) && defined(complex) && defined(I)
#define GPUEXEC_FFTW_COMPLEX(REAL, NAME) typedef REAL _Complex NAME
#else
#define GPUEXEC_FFTW_COMPLEX(REAL, NAME) typedef REAL NAME[2]
#endif

// clang-format off
#define GPUEXEC_FFTW(NAME, REAL)                                                                                               \
  GPUEXEC_FFTW_COMPLEX(REAL, NAME##_complex);                                                                                  \
  typedef struct gpuexec_fftw_plan *NAME##_plan;                                                                               \
  void NAME##_execute(const NAME##_plan plan);                                                                                 \
  NAME##_plan NAME##_plan_dft(int rank, const int *n, NAME##_complex *in, NAME##_complex *out, int sign, unsigned flags);      \
  NAME##_plan NAME##_plan_dft_1d(int n, NAME##_complex *in, NAME##_complex *out, int sign, unsigned flags);                    \
  NAME##_plan NAME##_plan_dft_2d(int n0, int n1, NAME##_complex *in, NAME##_complex *out, int sign, unsigned flags);           \
  NAME##_plan NAME##_plan_dft_3d(int n0, int n1, int n2, NAME##_complex *in, NAME##_complex *out, int sign, unsigned flags);   \
  NAME##_plan NAME##_plan_many_dft(int rank, const int *n, int howmany, NAME##_complex *in, const int *inembed, int istride,   \
                                   int idist, NAME##_complex *out, const int *onembed, int ostride, int odist, int sign,       \
                                   unsigned flags);                                                                            \
  void NAME##_execute_dft(const NAME##_plan plan, NAME##_complex *in, NAME##_complex *out);                                    \
  NAME##_plan NAME##_plan_dft_r2c(int rank, const int *n, REAL *in, NAME##_complex *out, unsigned flags);                      \
  NAME##_plan NAME##_plan_dft_r2c_1d(int n, REAL *in, NAME##_complex *out, unsigned flags);                                    \
  NAME##_plan NAME##_plan_dft_r2c_2d(int n0, int n1, REAL *in, NAME##_complex *out, unsigned flags);                           \
  NAME##_plan NAME##_plan_dft_r2c_3d(int n0, int n1, int n2, REAL *in, NAME##_complex *out, unsigned flags);                   \
  NAME##_plan NAME##_plan_many_dft_r2c(int rank, const int *n, int howmany, REAL *in, const int *inembed, int istride,         \
                                       int idist, NAME##_complex *out, const int *onembed, int ostride, int odist,             \
                                       unsigned flags);                                                                        \
  void NAME##_execute_dft_r2c(const NAME##_plan plan, REAL *in, NAME##_complex *out);                                          \
  NAME##_plan NAME##_plan_dft_c2r(int rank, const int *n, NAME##_complex *in, REAL *out, unsigned flags);                      \
  NAME##_plan NAME##_plan_dft_c2r_1d(int n, NAME##_complex *in, REAL *out, unsigned flags);                                    \
  NAME##_plan NAME##_plan_dft_c2r_2d(int n0, int n1, NAME##_complex *in, REAL *out, unsigned flags);                           \
  NAME##_plan NAME##_plan_dft_c2r_3d(int n0, int n1, int n2, NAME##_complex *in, REAL *out, unsigned flags);                   \
  NAME##_plan NAME##_plan_many_dft_c2r(int rank, const int *n, int howmany, NAME##_complex *in, const int *inembed,            \
                                       int istride, int idist, REAL *out, const int *onembed, int ostride, int odist,          \
                                       unsigned flags);                                                                        \
  void NAME##_execute_dft_c2r(const NAME##_plan plan, NAME##_complex *in, REAL *out);                                          \
  void NAME##_destroy_plan(NAME##_plan plan);                                                                                  \
  void NAME##_cleanup(void);                                                                                                   \
  int NAME##_init_threads(void);                                                                                               \
  void NAME##_plan_with_nthreads(int threads);                                                                                 \
  void NAME##_cleanup_threads(void);                                                                                           \
  void NAME##_set_timelimit(double seconds);                                                                                   \
  void *NAME##_malloc(size_t size);                                                                                            \
  REAL *NAME##_alloc_real(size_t count);                                                                                       \
  NAME##_complex *NAME##_alloc_complex(size_t count);                                                                          \
  int NAME##_alignment_of(REAL *array);                                                                                        \
  void NAME##_free(void *memory);                                                                                              \
  extern const char NAME##_version[];
// clang-format on

GPUEXEC_FFTW(fftw, double)
GPUEXEC_FFTW(fftwf, float)

#ifdef __cplusplus
}
#endif

#endif /* FFTW3_H */
