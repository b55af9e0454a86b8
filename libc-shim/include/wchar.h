/*===-- libc-shim/include/wchar.h - newlib's, with our FILE -------*- C -*-===*/
#ifndef GPUEXEC_WCHAR_H
#define GPUEXEC_WCHAR_H

#ifndef __FILE_defined
#define __FILE_defined
typedef struct __gpuexec_file FILE;
#endif
#include_next <wchar.h>

#endif
