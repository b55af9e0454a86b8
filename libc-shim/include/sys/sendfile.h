// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/sendfile.h --------------------------*- C -*-===*/
#ifndef GPUEXEC_SYS_SENDFILE_H
#define GPUEXEC_SYS_SENDFILE_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
ssize_t sendfile(int, int, off_t *, size_t);
#ifdef __cplusplus
}
#endif
#endif
