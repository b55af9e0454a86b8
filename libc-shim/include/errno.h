// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/errno.h - errno and its values ----------*- C -*-===*/
#ifndef GPUEXEC_ERRNO_H
#define GPUEXEC_ERRNO_H

#include <sys/errno.h>
#include <sys/features.h>

#if __GNU_VISIBLE /* otherwise the names are the program's, as with glibc */
#ifndef __error_t_defined
typedef int error_t;
#define __error_t_defined 1
#endif
#ifdef __cplusplus
extern "C" {
#endif
/* argv[0], and the part behind its last slash. */
extern char *program_invocation_name, *program_invocation_short_name;
#ifdef __cplusplus
}
#endif
#endif

#endif
