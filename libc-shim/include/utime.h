// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/utime.h - A file's times in seconds -----*- C -*-===*/
#ifndef GPUEXEC_UTIME_H
#define GPUEXEC_UTIME_H

#include <sys/types.h>

struct utimbuf {
  time_t actime;
  time_t modtime;
};

#ifdef __cplusplus
extern "C" {
#endif
int utime(const char *, const struct utimbuf *);
#ifdef __cplusplus
}
#endif
#endif
