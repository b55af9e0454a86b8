/*===-- libc-shim/include/stdlib.h - newlib's, and what it leaves out - C
 * -*-===*/
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
/* The absolute path without links, "." and "..": in `to`, of PATH_MAX bytes, or
   in memory for the caller to free. NULL with errno when there is no such file. */
char *realpath(const char *__restrict, char *__restrict);
#endif
#ifdef __cplusplus
}
#endif
#endif
