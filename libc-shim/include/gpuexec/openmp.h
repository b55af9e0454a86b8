//===-- libc-shim/include/gpuexec/openmp.h - Everything is for the GPU ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc -fopenmp includes this in front of every file. clang compiles OpenMP
// for GPUs as code of a device of some host, and leaves out what is not
// declared to be for the device. Here all is. The warning that the directive
// has no end is for this one alone. Variables may be allocated without a word
// about the allocator.
//===----------------------------------------------------------------------===//
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wsource-uses-openmp"
#pragma omp requires dynamic_allocators
#pragma omp begin declare target
#pragma clang diagnostic pop

// Of the clause thread_limit (toolchain/frontend/drop_target.cpp): parallel
// regions have at most `threads` threads from now on; not positive: any number.
// Returns the limit before.
#ifdef __cplusplus
extern "C"
#endif
int __gpuexec_omp_limit_threads(int threads);
