// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/random.h - Random bytes of the host -*- C -*-===*/
#ifndef GPUEXEC_SYS_RANDOM_H
#define GPUEXEC_SYS_RANDOM_H

#include <sys/types.h>

#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
#define GRND_INSECURE 4

#ifdef __cplusplus
extern "C" {
#endif
ssize_t getrandom(void *, size_t, unsigned);
int getentropy(void *, size_t);
#ifdef __cplusplus
}
#endif
#endif
