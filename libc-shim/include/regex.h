/*===-- libc-shim/include/regex.h - newlib's, with off_t ----------*- C -*-===*/
#ifndef GPUEXEC_REGEX_H
#define GPUEXEC_REGEX_H

#include <sys/types.h>
#include_next <regex.h>
#endif
