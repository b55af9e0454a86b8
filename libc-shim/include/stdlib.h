/*===-- libc-shim/include/stdlib.h - newlib's and additions -------*- C -*-===*/
#ifndef GPUEXEC_STDLIB_H
#define GPUEXEC_STDLIB_H

#include_next <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
#if __MISC_VISIBLE
int clearenv(void);
size_t memalignment(const void *); /* C23 */
#endif
#if __XSI_VISIBLE || __MISC_VISIBLE
/* The absolute path without links, "." and "..", in `to`, which has PATH_MAX
   bytes, or in memory that the caller frees. NULL with errno on failure. */
char *realpath(const char *__restrict, char *__restrict);
#endif
#ifdef __cplusplus
}
#endif
#endif
