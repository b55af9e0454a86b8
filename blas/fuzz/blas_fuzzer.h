//===-- blas/fuzz/blas_fuzzer.h - In place of parts of libc -----------------===//
// Included before everything else in the sources that are fuzzed.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_BLAS_FUZZ_H
#define GPUEXEC_BLAS_FUZZ_H

#include <stdlib.h>

void *fuzz_malloc(size_t size);
void fuzz_free(void *memory);

#define malloc fuzz_malloc
#define free fuzz_free

#endif
