// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/gpuexec.h - What gpuexec offers beyond C - C -*-===//
 * Regions of interest: gpuexec's emulator counts what is executed between begin
 * and end by name (--stats). On hardware the markers cost a few instructions
 * and do nothing; on NVIDIA they are empty.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_H
#define GPUEXEC_H

#ifndef GPUEXEC_REGION_BEGIN /* the C library has its own way to the file */
#include <gpuexec/region_marks.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __AMDGPU__
#define __GPUEXEC_ROI(magic, name)                                             \
  do {                                                                         \
    unsigned long __at = (unsigned long)(name);                                \
    unsigned __low = __builtin_amdgcn_readfirstlane((unsigned)__at);           \
    unsigned __high = __builtin_amdgcn_readfirstlane((unsigned)(__at >> 32));  \
    unsigned __m0; /* LLVM warns of a clobber of it */                         \
    __asm__ volatile("s_mov_b32 %0, m0\n\t"                                    \
                     "s_mov_b32 m0, %1\n\ts_nop 0\n\ts_ttracedata\n\t"         \
                     "s_mov_b32 m0, %2\n\ts_nop 0\n\ts_ttracedata\n\t"         \
                     "s_mov_b32 m0, %3\n\ts_nop 0\n\ts_ttracedata\n\t"         \
                     "s_mov_b32 m0, %0"                                        \
                     : "=&s"(__m0)                                             \
                     : "s"(magic), "s"(__low), "s"(__high)                     \
                     : "memory");                                              \
  } while (0)
#else
#define __GPUEXEC_ROI(magic, name)                                             \
  do {                                                                         \
    (void)(name);                                                              \
    __asm__ volatile("" ::: "memory");                                         \
  } while (0)
#endif

/* `name` must exist until the program ends. All lanes of a wave should call
   this together. */
static inline void gpuexec_roi_begin(const char *name) {
  __GPUEXEC_ROI(GPUEXEC_REGION_BEGIN, name);
}
static inline void gpuexec_roi_end(const char *name) {
  __GPUEXEC_ROI(GPUEXEC_REGION_END, name);
}

#ifdef __cplusplus
}
#endif
#endif
