//===-- libc-shim/stdlib/strtod.h -----------------------------------------===//
// What strtod.c needs of its environment, so that the host can test it too.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_STRTOD_H
#define GPUEXEC_LIBC_STRTOD_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct _reent;

#endif
