// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sgtty.h - Terminals before termios ------*- C -*-===*/
#ifndef GPUEXEC_SGTTY_H
#define GPUEXEC_SGTTY_H

#include <sys/ioctl.h>

struct sgttyb;

#ifdef __cplusplus
extern "C" {
#endif
/* -1 with ENOSYS, as with glibc on Linux; <termios.h> has what there is. */
int gtty(int, struct sgttyb *);
int stty(int, const struct sgttyb *);
#ifdef __cplusplus
}
#endif
#endif
