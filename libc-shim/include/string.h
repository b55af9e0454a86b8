/*===-- libc-shim/include/string.h - newlib's and strnlen_s -------*- C -*-===*/
#ifndef GPUEXEC_STRING_H
#define GPUEXEC_STRING_H

#include_next <string.h>

#ifdef __cplusplus
extern "C" {
#endif
size_t strnlen_s(const char *, size_t);
#ifdef __cplusplus
}
#endif
#endif
