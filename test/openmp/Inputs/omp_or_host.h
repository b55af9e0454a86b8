// <omp.h>, or for the host's program, which is compiled without OpenMP, what a team of one thread does.
#ifndef GPUEXEC_TEST_OMP_OR_HOST_H
#define GPUEXEC_TEST_OMP_OR_HOST_H

#ifdef _OPENMP
#include <omp.h>
#else
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_in_parallel(void) { return 0; }
#endif

#endif
