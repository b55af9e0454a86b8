// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/search.h - newlib's and lists -----------*- C -*-===*/
#ifndef GPUEXEC_SEARCH_H
#define GPUEXEC_SEARCH_H

#include_next <search.h>

#ifdef __cplusplus
extern "C" {
#endif
void *lfind(const void *, const void *, size_t *, size_t,
            int (*)(const void *, const void *));
void *lsearch(const void *, void *, size_t *, size_t,
              int (*)(const void *, const void *));
void insque(void *, void *);
void remque(void *);
#if __GNU_VISIBLE
typedef int (*comparison_fn_t)(const void *, const void *);
struct qelem { /* of insque() */
  struct qelem *q_forw;
  struct qelem *q_back;
  char q_data[1];
};
/* twalk() whose function gets the caller's pointer instead of the depth. */
void twalk_r(const void *, void (*)(const void *, VISIT, void *), void *);
#endif
#ifdef __cplusplus
}
#endif
#endif
